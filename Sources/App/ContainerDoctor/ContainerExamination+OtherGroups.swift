import Foundation
import ScreenBroadcast
import SharedMemory

// The other app groups in the same root.
extension ContainerExamination {
  mutating func lookAtOtherGroups() {
    // Where a producer is or was, the two sides have found each other.
    switch holder {
    case .alive, .died: return
    case .nobody, nil: break
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: root) } catch {
      return add(
        .unreadable, root, "it cannot be listed: \(error.localizedDescription)", remedy: "check its mode")
    }
    for name in names.sorted() where name != container.group {
      let other: AppGroupContainer
      do throws(AppGroupContainer.Failure) { other = try AppGroupContainer(root: root, group: name) } catch {
        // No name of a group: whatever this is, it is no container whose broadcast could be the one looked for.
        continue
      }
      // What cannot be read of another group says nothing about this one.
      var examination = ContainerExamination(container: other, fileSystem: fileSystem)
      examination.readFlagAndHolder(examination.lookAtPlaces())
      addOtherGroup(examination.diagnosis, group: name)
    }
  }

  private mutating func addOtherGroup(_ other: Diagnosis, group: String) {
    let what: String
    if other.hasProducer {
      what = "\(Self.process(other.pid ?? 0)) has the broadcast of \(group), and \(container.group) has none"
    } else if other.flag == true, flag != true {
      what = "the flag of \(group) is on, and that of \(container.group) is not"
    } else {
      return
    }
    add(
      .otherGroup, other.container, what,
      remedy:
        "name the same app group on both sides: --group \(group), or the --environment it belongs to; unless "
        + "that is another broadcast")
  }
}
