import Foundation
import Platform
import ScreenBroadcast

/// A moment that kills must hit, recognized by the traces in the container.
///
/// The traces are read from the bytes as `Docs/Internals/FileFormat.md` describes them, not by the code under test.
enum Moment: String, CaseIterable {
  case publish = "inside a publish"
  /// The first ring of a session, or a larger ring, was being created.
  case ringCreation = "inside the creation of a ring"
  case keyWrite = "inside a write of keys"

  /// The number of rounds after which a kill must have hit each moment.
  static let roundsThatHitAll = 1000

  /// Returns the failures of a run that was long enough, but whose kills did not hit each moment.
  static func failures(hits: [Moment: Int], rounds: Int) -> [String] {
    allCases.filter { rounds >= roundsThatHitAll && hits[$0] == nil }.map {
      "no kill hit a moment \($0.rawValue): the run proves nothing about it"
    }
  }

  /// Returns the moments whose traces killed workers left; other workers may still be running.
  /// - Parameter handler: the extension that was killed, if any.
  static func left(in container: AppGroupContainer, handler: Int32?) throws -> Set<Moment> {
    var moments: Set<Moment> = []
    let files = FileManager.default
    if let handler {
      if try isWriting(container.framesFile, handler) { moments.insert(.publish) }
      if files.fileExists(atPath: container.framesFile + ".new") { moments.insert(.ringCreation) }
    }
    // The lock keeps running workers from writing, so an existing temporary file is orphaned.
    let isOrphaned = try FolderLock.hold(on: container.preferencesFolder) {
      files.fileExists(atPath: container.preferencesFile + ".new")
    }
    if isOrphaned { moments.insert(.keyWrite) }
    return moments
  }

  /// Whether the ring belongs to the process, and the counter of a slot is odd, as during a write.
  private static func isWriting(_ path: String, _ process: Int32) throws -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { file.closeFile() }
    guard let header = try file.read(upToCount: 4096), header.count == 4096 else { return false }
    let bytes = header.span
    return bytes.loadLittleEndian(at: 56, as: Int32.self) == process
      && (0..<8).contains { bytes.loadLittleEndian(at: 192 + 64 * $0, as: UInt64.self) % 2 == 1 }
  }
}
