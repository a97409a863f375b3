import CommandLineSupport
import Foundation
import Platform

/// The folder of one run, which holds all files that the run creates.
package struct WorkFolder: Sendable {
  package let path: String
  private let parent: String

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
      let status = try System.fileSystem(of: memory)
      return status.freeByteCount >= leastFreeByteCount ? memory : temporaryParent
    } catch { return temporaryParent }
  }

  /// A folder that does not exist yet, named after the program and its process.
  package init(of program: String, in parent: String?) {
    self.parent = parent ?? Self.standardParent
    path = "\(self.parent)/\(program)-\(ProcessInfo.processInfo.processIdentifier)"
  }

  /// Creates the folder, for this user alone.
  package func create() throws(ProgramFailure) {
    do {
      try PrivateFolder.prepareRoot(parent)
      try PrivateFolder.prepare(path)
    } catch {
      throw ProgramFailure(error)
    }
  }

  /// Removes the folder with its content, if it exists.
  package func remove() throws(ProgramFailure) {
    // A worker that ends may still create files in it, but only a few.
    for attempt in 1...10 where FileManager.default.fileExists(atPath: path) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        guard attempt == 10 else { continue }
        throw ProgramFailure(.inputOutput, "\(path) cannot be removed: \(error.reasonText).")
      }
    }
  }
}
