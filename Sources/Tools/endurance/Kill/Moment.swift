import Foundation
import Platform
import ScreenBroadcast

/// The state that a killed worker left in the container, which shows what it was doing.
///
/// Read from the bytes as `Docs/FileFormat.md` describes them, not by the code under test.
struct LeftoverState: OptionSet {
  let rawValue: Int
  /// A frame was being written.
  static let publish = Self(rawValue: 1)
  /// A ring was being created: the first of a session, or a larger one.
  static let ringCreation = Self(rawValue: 2)
  /// The property list was being replaced.
  static let keyWrite = Self(rawValue: 4)
  /// A frame was held.
  static let lease = Self(rawValue: 8)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads the state of a container; other workers may still run.
  ///
  /// - Parameters:
  ///   - handler: the extension that was killed, if any.
  ///   - leaser: whether the reader with leases was killed.
  init(in container: AppGroupContainer, handler: Int32?, leaser: Bool) throws {
    rawValue = 0
    let ring = try Self.pages(of: container.framesFile)
    // No other worker leases.
    if leaser, (0..<8).contains(where: { ring.word(4096 + 128 + 8 * $0, byteCount: 4) != 0 }) {
      insert(.lease)
    }
    if let handler {
      // The counter of a slot is odd during a write.
      if ring.word(56, byteCount: 4) == UInt64(handler),
        (0..<8).contains(where: { ring.word(192 + 64 * $0, byteCount: 8) % 2 == 1 })
      {
        insert(.publish)
      }
      if FileManager.default.fileExists(atPath: container.framesFile + ".new") { insert(.ringCreation) }
    }
    // The lock keeps running workers from writing, so that an existing temporary file is orphaned.
    let isOrphaned = try FolderLock.hold(on: container.preferencesFolder) {
      FileManager.default.fileExists(atPath: container.preferencesFile + ".new")
    }
    if isOrphaned { insert(.keyWrite) }
  }

  /// The first two pages of the ring, or fewer bytes if there is none.
  private static func pages(of path: String) throws -> Data {
    guard let file = FileHandle(forReadingAtPath: path) else { return Data() }
    defer { file.closeFile() }
    return try file.read(upToCount: 8192) ?? Data()
  }
}

extension Data {
  /// The little-endian number at an offset; 0 after the end.
  fileprivate func word(_ offset: Int, byteCount: Int) -> UInt64 {
    guard offset + byteCount <= count else { return 0 }
    return (0..<byteCount).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
  }
}
