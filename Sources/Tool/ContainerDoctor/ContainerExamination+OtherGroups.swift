import CommandLineSupport
import Foundation
import ScreenBroadcast
import SharedMemory

// The other app groups in the same root.
extension ContainerExamination {
  mutating func checkOtherGroups() {
    // A live producer proves that both sides use this group. The crash of a producer may be old.
    if case .alive = holder { return }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: root) } catch {
      return add(
        .unreadable, root, "it cannot be listed: \(error.reasonText)", remedy: "check its mode")
    }
    for name in names.sorted() where name != container.group {
      let other: AppGroupContainer
      do throws(AppGroupContainer.Failure) { other = try AppGroupContainer(root: root, group: name) } catch {
        continue  // The name of no group, so no container.
      }
      // An unreadable file of another group is not a finding about this one.
      var examination = ContainerExamination(container: other)
      guard examination.canReadFiles() else { continue }
      examination.readFlagAndHolder()
      addOtherGroup(examination.diagnosis, other)
    }
  }

  private mutating func addOtherGroup(_ other: Diagnosis, _ container: AppGroupContainer) {
    let what: String
    if other.hasProducer {
      what =
        "\(Self.process(other.pid ?? 0)) broadcasts in \(container.group), and nothing broadcasts in \(self.container.group)"
    } else if other.flag == true, flag != true {
      what = "the flag of \(container.group) is on, and the flag of \(self.container.group) is off"
    } else {
      return
    }
    add(
      .otherGroup, container.folder, what,
      remedy:
        "use the same app group on both sides, with --group \(container.group) or its --environment; ignore this if it is "
        + "another broadcast")
  }
}
