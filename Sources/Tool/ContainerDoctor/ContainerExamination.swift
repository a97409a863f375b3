import CommandLineSupport
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory

/// One examination of a container, from the outside in. It opens files for reading only and never follows a link.
struct ContainerExamination {
  typealias FileSystemCheck = (String) throws(FileError) -> FileSystemStatus

  /// The state of a path, as far as the paths below it are concerned.
  enum PathState {
    /// A folder or file of this user, as expected.
    case valid
    case missing
    /// Something else, or unreadable.
    case blocked
  }

  let container: AppGroupContainer
  let root: String
  let screens: ContainerDoctor.Screens
  let fileSystem: FileSystemCheck
  var findings: [Finding] = []
  /// The files of the container.
  var states: [String: PathState] = [:]
  /// Files under the names that writers use until a file is complete.
  var unfinished: [String] = []
  var flag: Bool?
  var holder: ProcessLock.Holder?

  init(
    container: AppGroupContainer, screens: ContainerDoctor.Screens, fileSystem: @escaping FileSystemCheck
  ) {
    (self.container, self.screens) = (container, screens)
    self.fileSystem = fileSystem
    var root = String(container.folder.dropLast(container.group.utf8.count + 1))
    // A link with a slash at the end would be followed.
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    self.root = root.isEmpty ? "/" : root
  }

  var diagnosis: Diagnosis {
    Diagnosis(container: container.folder, flag: flag, holder: holder, findings: findings)
  }

  mutating func run() {
    let isRootValid = checkRoot() == .valid
    if isRootValid { checkContainer() }
    checkFileSystem()
    checkPathLength()
    if isRootValid { checkOtherGroups() }
  }

  mutating func add(
    _ kind: Finding.Kind, _ path: String, _ description: String, remedy: String? = nil
  ) {
    findings.append(Finding(kind, path, description, remedy: remedy))
  }

  mutating func addUnreadable(_ path: String, _ error: FileError) {
    findings.append(
      Finding(.unreadable, path, "it cannot be checked: \(error)", exitCode: ExitCode(errno: error.code)))
  }

  static func process(_ pid: Int32) -> String { pid == 0 ? "a producer" : "process \(pid)" }

  static func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }
}
