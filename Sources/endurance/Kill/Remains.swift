import Foundation
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

  /// The moments, with what to call them.
  static let moments: [(moment: Remains, name: String)] = [
    (.publish, "inside a publish"), (.ringMaking, "inside the making of a ring"),
    (.keyWrite, "inside a write of keys"),
  ]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// What is left in a container by processes that are dead; others may still run.
  ///
  /// - Parameter handler: the extension that died, if one did.
  init(in container: AppGroupContainer, handler: Int32?) throws {
    rawValue = 0
    if let handler {
      if try Self.isBeingWritten(container.framesFile, by: handler) { insert(.publish) }
      if FileManager.default.fileExists(atPath: container.framesFile + ".new") { insert(.ringMaking) }
    }
    // Who holds the folder's lock keeps the living from writing: a file that is there is of the dead.
    let isLeft = try FolderLock.hold(on: container.preferencesFolder) {
      FileManager.default.fileExists(atPath: container.preferencesFile + ".new")
    }
    if isLeft { insert(.keyWrite) }
  }

  /// Whether one of the slots of a ring of that process has an odd counter.
  private static func isBeingWritten(_ path: String, by process: Int32) throws -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { file.closeFile() }
    let header = try file.read(upToCount: 4096) ?? Data()
    func word(_ offset: Int, byteCount: Int) -> UInt64 {
      (0..<byteCount).reduce(0) { $0 | UInt64(header[offset + $1]) << UInt64(8 * $1) }
    }
    guard header.count == 4096, word(56, byteCount: 4) == UInt64(process) else { return false }
    return (0..<Int(min(8, word(12, byteCount: 4)))).contains { word(192 + 64 * $0, byteCount: 8) % 2 == 1 }
  }
}
