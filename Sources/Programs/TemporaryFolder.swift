import CommandLineSupport
import Foundation
import Platform

/// A new folder, removed with this object.
package final class TemporaryFolder: Sendable {
  package let path: String
  /// The size of its own file system, in bytes; `nil` to use that of the machine.
  package let diskSpace: Int?

  /// Creates the folder, for this user alone, and mounts its file system if it has one, which only root can.
  package convenience init(
    _ name: String = "broadcast-tests", in parent: String = WorkFolder.standardParent, diskSpace: Int? = nil
  ) throws {
    self.init(named: name, in: parent, diskSpace: diskSpace)
    try create()
  }

  /// A folder that does not exist yet; see ``create()``.
  package init(named name: String, in parent: String = WorkFolder.standardParent, diskSpace: Int?) {
    // Short, because the path of a socket has at most 107 bytes.
    path = "\(parent)/\(name)-\(UUID().uuidString.prefix(8))"
    self.diskSpace = diskSpace
  }

  /// Creates the folder if it does not exist.
  package func create() throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    guard let diskSpace else { return }
    do { try System.mountMemory(at: path, byteCount: diskSpace) } catch {
      // The next attempt must not find a folder without the limit.
      try FileManager.default.removeItem(atPath: path)
      throw ProgramFailure(
        errno: error.code,
        "A file system of a limited size cannot be mounted: \(error.errno); run the test as root, or leave out diskSpace."
      )
    }
  }

  deinit {
    do { try remove() } catch { NSLog("%@", "\(path) cannot be removed: \(error.reasonText)") }
  }

  /// Removes the folder before this object is released, if it exists.
  package func remove() throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    if diskSpace != nil { try System.unmount(path) }
    try FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  private var filler: URL { URL(filePath: path + "/filler") }

  /// Takes all the space that is left in its file system.
  package func fill() throws {
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
  package func empty() throws {
    // A child between fork and exec may have the file open, and a file that is only removed would keep its space.
    let file = try FileHandle(forWritingTo: filler)
    defer { file.closeFile() }
    try file.truncate(atOffset: 0)
    try FileManager.default.removeItem(at: filler)
  }
}
