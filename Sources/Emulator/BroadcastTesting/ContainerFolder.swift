import Foundation
import WorkerSupport

/// A fresh folder for containers, removed with this object.
final class ContainerFolder: Sendable {
  let root: String
  let group: String
  /// The size of its own file system, in bytes; `nil` to use that of the machine.
  let diskSpace: Int?

  /// A folder that does not exist yet.
  init(group: String, diskSpace: Int? = nil) {
    root = WorkFolder.standardParent + "/broadcast-testing-" + UUID().uuidString
    (self.group, self.diskSpace) = (group, diskSpace)
  }

  /// The folder of the group's container.
  var container: String { root + "/" + group }

  private var filler: URL { URL(filePath: root + "/filler") }

  /// Creates the folder for this user alone, and mounts its file system if it has one.
  func create() throws {
    guard !FileManager.default.fileExists(atPath: root) else { return }
    try FileManager.default.createDirectory(
      atPath: root, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    guard let diskSpace else { return }
    let code = try Self.run("mount", "-t", "tmpfs", "-o", "size=\(diskSpace),mode=700", "tmpfs", root)
    guard code == 0 else { throw NotMounted() }
  }

  /// A file system could not be mounted.
  struct NotMounted: Error, CustomStringConvertible {
    let description =
      "A file system of a limited size cannot be mounted; run the test as root, or leave out diskSpace."
  }

  /// Takes all the space that is left in the file system of this folder.
  func fill() throws {
    try Data().write(to: filler)
    let file = try FileHandle(forWritingTo: filler)
    defer { file.closeFile() }
    let page = Data(repeating: 1, count: 4096)
    while true {
      // It ends by the error of a full file system.
      do { try file.write(contentsOf: page) } catch { return }
    }
  }

  /// Gives back the space that ``fill()`` took.
  func empty() throws { try FileManager.default.removeItem(at: filler) }

  deinit {
    guard FileManager.default.fileExists(atPath: root) else { return }
    do {
      if diskSpace != nil { _ = try Self.run("umount", "-l", root) }
      try FileManager.default.removeItem(atPath: root)
    } catch {
      NSLog("%@", "\(root) cannot be removed: \(error.localizedDescription)")
    }
  }

  private static func run(_ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
