import CommandLineSupport
import Foundation
import Platform

/// A folder for this user alone, removed with this object.
package final class TemporaryFolder: Sendable {
  package let path: String
  /// The size of its own file system, in bytes; `nil` to use that of the machine.
  package let diskSpace: Int?
  private let parent: String

  /// Creates the folder, and mounts its file system if it has one, which only root can.
  package convenience init(
    _ name: String = "broadcast-tests", in parent: String = standardParent, diskSpace: Int? = nil
  ) throws {
    self.init(named: name, in: parent, diskSpace: diskSpace)
    try create()
  }

  /// A folder that does not exist yet; see ``create()``.
  package convenience init(named name: String, in parent: String = standardParent, diskSpace: Int?) {
    // Short, because the path of a socket has at most 107 bytes.
    self.init("\(name)-\(UUID().uuidString.prefix(8))", in: parent, diskSpace)
  }

  /// The folder of one run of a program, named after it and its process. It does not exist yet.
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
      // The next attempt must not find a folder without the limit.
      do { try removeContent() } catch { NSLog("%@", error.message) }
      throw failure
    }
  }

  deinit {
    do { try remove() } catch { NSLog("%@", error.message) }
  }

  /// Removes the folder before this object is released, if it exists. Processes keep the files of it that they have open.
  package func remove() throws(ProgramFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do throws(FileError) { if diskSpace != nil { try System.unmount(path) } } catch {
      throw ProgramFailure(error)
    }
    try removeContent()
  }

  private func removeContent() throws(ProgramFailure) {
    // A process that ends may still create files in it, but only a few.
    for attempt in 1...10 where FileManager.default.fileExists(atPath: path) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        guard attempt == 10 else { continue }
        throw ProgramFailure(.inputOutput, "\(path) cannot be removed: \(error.reasonText).")
      }
    }
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

// Where folders are made.
extension TemporaryFolder {
  /// The parent of a folder whose place is not given: a memory file system with room for many rings, because a disk's
  /// delays hide races and distort figures; otherwise the temporary folder.
  package static var standardParent: String { standardParent(memory: "/dev/shm") }

  /// ``standardParent``, as the help of a program describes it.
  package static let standardParentText = "/dev/shm if it has 256 MiB of room, else the temporary folder"

  /// The temporary folder, as a path without links: they are refused on the way to a container.
  package static var temporaryParent: String {
    FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
  }

  /// The parent when `memory` is the folder in memory. Docker gives it 64 MB, which is room for four rings of a phone's
  /// screen.
  static func standardParent(memory: String, leastFreeByteCount: UInt64 = 256 << 20) -> String {
    guard FileManager.default.isWritableFile(atPath: memory) else { return temporaryParent }
    do throws(FileError) {
      let free = try System.freeByteCount(at: memory)
      return free >= leastFreeByteCount ? memory : temporaryParent
    } catch { return temporaryParent }
  }
}
