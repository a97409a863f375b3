import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// What a dead worker left in the container, and so what it was doing when it died.
///
/// Read from the bytes as `Docs/FileFormat.md` has them, not by the code that is to be tried.
struct Remains: OptionSet {
  let rawValue: Int
  /// It died while it wrote a frame.
  static let publish = Remains(rawValue: 1)
  /// It died while it made a larger ring for the same session, or the first ring of one.
  static let ringMaking = Remains(rawValue: 2)
  /// It died while it replaced the property list.
  static let keyWrite = Remains(rawValue: 4)
  /// It died while it held a frame.
  static let lease = Remains(rawValue: 8)

  /// The moments, with what to call them.
  static let moments: [(moment: Remains, name: String)] = [
    (.publish, "inside a publish"), (.ringMaking, "inside the making of a ring"),
    (.keyWrite, "inside a write of keys"), (.lease, "inside a lease"),
  ]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// What is left in a container by processes that are dead; others may still run.
  ///
  /// - Parameters:
  ///   - handler: the extension that died, if one did.
  ///   - leaser: whether the one that leases frames died.
  init(in container: AppGroupContainer, handler: Int32?, leaser: Bool) throws {
    rawValue = 0
    let ring = try Self.pages(of: container.framesFile)
    // Nobody else leases.
    if leaser, (0..<8).contains(where: { ring.word(4096 + 128 + 8 * $0, byteCount: 4) != 0 }) {
      insert(.lease)
    }
    if let handler {
      // The odd counter of one of the slots.
      if ring.word(56, byteCount: 4) == UInt64(handler),
        (0..<8).contains(where: { ring.word(192 + 64 * $0, byteCount: 8) % 2 == 1 })
      {
        insert(.publish)
      }
      if FileManager.default.fileExists(atPath: container.framesFile + ".new") { insert(.ringMaking) }
    }
    // Who holds the folder's lock keeps the living from writing: a file that is there is of the dead.
    let isLeft = try FolderLock.hold(on: container.preferencesFolder) {
      FileManager.default.fileExists(atPath: container.preferencesFile + ".new")
    }
    if isLeft { insert(.keyWrite) }
  }

  /// The first two pages of the ring, or fewer bytes when there is none.
  private static func pages(of path: String) throws -> Data {
    guard let file = FileHandle(forReadingAtPath: path) else { return Data() }
    defer { file.closeFile() }
    return try file.read(upToCount: 8192) ?? Data()
  }
}

extension Data {
  /// The little-endian number at an offset; 0 behind the end.
  fileprivate func word(_ offset: Int, byteCount: Int) -> UInt64 {
    guard offset + byteCount <= count else { return 0 }
    return (0..<byteCount).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
  }
}
