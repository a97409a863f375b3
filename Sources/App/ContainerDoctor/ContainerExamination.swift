import Foundation
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

/// One look at a container, from the outside in. It opens files for reading only, and never behind a link.
struct ContainerExamination {
  /// Tells on what file system a path is.
  typealias FileSystemLook = (String) throws(StorageError) -> FileSystemStatus

  /// What a look at a path came to, as far as what lies below it is concerned.
  enum Look {
    /// It is what it must be.
    case sound
    /// Nothing is there.
    case missing
    /// Something else is there, or it cannot be looked at.
    case blocked
  }

  let container: AppGroupContainer
  let root: String
  let fileSystem: FileSystemLook
  let memoryKills: MemoryKillFile
  var findings: [Finding] = []
  var flag: Bool?
  var holder: ProducerLock.Holder?

  init(container: AppGroupContainer, fileSystem: @escaping FileSystemLook) {
    self.container = container
    self.fileSystem = fileSystem
    memoryKills = MemoryKillFile(container: container)
    var root = String(container.folder.dropLast(container.group.utf8.count + 1))
    // With a slash behind it, a link would be followed.
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    self.root = root.isEmpty ? "/" : root
  }

  /// What was found so far.
  var diagnosis: Diagnosis {
    Diagnosis(container: container.folder, flag: flag, holder: holder, findings: findings)
  }

  /// Looks at everything.
  mutating func run() {
    let isRootSound = lookAtRoot() == .sound
    if isRootSound { lookAtContainer() }
    lookAtFileSystem()
    lookAtPathLength()
    if isRootSound { lookAtOtherGroups() }
  }

  mutating func add(
    _ kind: Finding.Kind, _ path: String, _ description: String, remedy: String? = nil
  ) {
    findings.append(Finding(kind, path, description, remedy: remedy))
  }

  static func process(_ pid: Int32) -> String { pid == 0 ? "a producer" : "process \(pid)" }

  static func octal(_ permissions: UInt32) -> String {
    let digits = String(permissions, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

  static func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }
}
