import CommandLineSupport
import Foundation
import Platform

/// A folder that only this user can enter. It is removed with this object.
package final class TemporaryFolder: Sendable {
  package let path: String
  /// The size of the separate file system in the folder, in bytes; `nil` if the folder is part of the file system around it.
  package let diskSpace: Int?
  private let parent: String

  /// Creates the folder. Mounts its file system if it has one (root only).
  package convenience init(
    _ name: String = "broadcast-tests", in parent: String = standardParent, diskSpace: Int? = nil
  ) throws {
    self.init(named: name, in: parent, diskSpace: diskSpace)
    try create()
  }

  /// Creates an object for a folder that does not exist yet; see ``create()``.
  package convenience init(named name: String, in parent: String = standardParent, diskSpace: Int?) {
    // The name is short, because the path of a socket has at most 107 bytes.
    self.init("\(name)-\(UUID().uuidString.prefix(8))", in: parent, diskSpace)
  }

  /// Creates an object for the folder of one run of a program, named after the program and its process. The folder does not exist
  /// yet.
  package convenience init(of program: String, in parent: String?) {
    self.init("\(program)-\(System.processID)", in: parent ?? Self.standardParent, nil)
  }

  private init(_ name: String, in parent: String, _ diskSpace: Int?) {
    (path, self.parent, self.diskSpace) = ("\(parent)/\(name)", parent, diskSpace)
  }

  /// Creates the folder if it does not exist.
  package func create() throws(ProgramFailure) {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    do throws(FileError) {
      try PrivateFolder.prepareRoot(parent)
      try PrivateFolder.prepare(path)
    } catch {
      throw ProgramFailure(error)
    }
    guard let diskSpace else { return }
    do throws(FileError) { try System.mountMemory(at: path, byteCount: diskSpace) } catch {
      let failure = ProgramFailure(
        errno: error.code,
        "A file system of a limited size cannot be mounted: \(error.errno); run the test as root, or leave out diskSpace."
      )
      // Otherwise the next attempt would find a folder without the limit.
      do { try removeContent() } catch { NSLog("%@", error.message) }
      throw failure
    }
  }

  deinit {
    do { try remove() } catch { NSLog("%@", error.message) }
  }

  /// Removes the folder if it exists, before this object is released. Processes can continue to use the files that they have
  /// open.
  package func remove() throws(ProgramFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do throws(FileError) { if diskSpace != nil { try System.unmount(path) } } catch {
      throw ProgramFailure(error)
    }
    try removeContent()
  }

  private func removeContent() throws(ProgramFailure) {
    // A process that is ending may still create a few files in it.
    for attempt in 1...10 where FileManager.default.fileExists(atPath: path) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        guard attempt == 10 else { continue }
        throw ProgramFailure(.inputOutput, "\(path) cannot be removed: \(error.reasonText).")
      }
    }
  }

  /// Returns the path of a file in the folder.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  private var filler: URL { URL(filePath: path + "/filler") }

  /// Fills the folder's file system.
  package func fill() throws {
    try Data().write(to: filler)
    let file = try FileHandle(forWritingTo: filler)
    defer { file.closeFile() }
    let page = Data(repeating: 1, count: 4096)
    while true {
      // A full file system ends the loop with an error.
      do { try file.write(contentsOf: page) } catch { return }
    }
  }

  /// Frees the space that ``fill()`` took.
  package func empty() throws {
    // A child between fork and exec may have the file open. Without the truncation, the removed file would then keep its space.
    let file = try FileHandle(forWritingTo: filler)
    defer { file.closeFile() }
    try file.truncate(atOffset: 0)
    try FileManager.default.removeItem(at: filler)
  }
}

// The parents of temporary folders.
extension TemporaryFolder {
  /// The default parent of a folder: a memory file system if it has room for many rings, because the delays of a disk hide races
  /// and distort measurements; otherwise the temporary folder.
  package static var standardParent: String { standardParent(memory: "/dev/shm") }

  /// The temporary folder, as a path without symbolic links. Links on the way to a container are rejected.
  package static var temporaryParent: String {
    FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
  }

  /// Returns the parent if `memory` is the folder in memory. Docker gives that folder 64 MB (four rings of a phone's screen).
  static func standardParent(memory: String, leastFreeByteCount: UInt64 = 256 << 20) -> String {
    guard FileManager.default.isWritableFile(atPath: memory) else { return temporaryParent }
    do throws(FileError) {
      let free = try System.freeByteCount(at: memory)
      return free >= leastFreeByteCount ? memory : temporaryParent
    } catch { return temporaryParent }
  }
}
