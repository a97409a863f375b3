import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// The folder of one run: what it makes, it makes in there.
struct WorkFolder {
  /// Where it is.
  let path: String

  /// Makes the folder in `parent`, or in a memory file system: a disk's delays would hide races.
  init(in parent: String?) throws(ProgramFailure) {
    let memory = "/dev/shm"
    let parent =
      parent ?? (FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory())
    path = parent + "/endurance-\(ProcessInfo.processInfo.processIdentifier)"
    do {
      try PrivateFolder.prepareRoot(parent)
      try PrivateFolder.prepare(path)
    } catch {
      throw ProgramFailure(errno: error.code, "\(error).")
    }
  }

  /// A container in it.
  func container(_ name: String) throws(ProgramFailure) -> AppGroupContainer {
    let container: AppGroupContainer
    do { container = try AppGroupContainer(root: path, group: "group.endurance.\(name)") } catch {
      throw ProgramFailure(.internalError, "\(error).")
    }
    do { try container.prepare() } catch { throw ProgramFailure(errno: error.code, "\(error).") }
    return container
  }

  /// Removes it with all that is in it.
  func remove() throws(ProgramFailure) {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      throw ProgramFailure(.inputOutput, "\(path) cannot be removed: \(error.localizedDescription).")
    }
  }
}
