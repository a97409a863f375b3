import Foundation
import Platform
import ScreenBroadcast

/// A moment that kills must hit, as what they left in the container shows, with its key in JSON.
///
/// Read from the bytes as `Docs/Internals/FileFormat.md` describes them, not by the code under test.
enum Moment: String, CaseIterable {
  case publish = "insidePublish"
  /// The first ring of a session was being created, or a larger one.
  case ringCreation = "insideRingMaking"
  case keyWrite = "insideKeyWrite"

  var name: String {
    switch self {
    case .publish: "inside a publish"
    case .ringCreation: "inside the creation of a ring"
    case .keyWrite: "inside a write of keys"
    }
  }

  /// The number of rounds after which a kill must have hit each moment.
  static let roundsThatHitAll = 1000

  /// The failures of a run that was long enough and whose kills did not hit each moment.
  static func failures(hits: [Moment: Int], rounds: Int) -> [String] {
    allCases.filter { rounds >= roundsThatHitAll && hits[$0] == nil }.map {
      "no kill hit a moment \($0.name): the run proves nothing about it"
    }
  }

  /// The moments that killed workers left behind; other workers may still run.
  /// - Parameter handler: the extension that was killed, if any.
  static func left(in container: AppGroupContainer, handler: Int32?) throws -> Set<Moment> {
    var moments: Set<Moment> = []
    let (files, ring) = (FileManager.default, try header(of: container.framesFile))
    if let handler {
      // The counter of a slot is odd during a write.
      if ring.word(56, byteCount: 4) == UInt64(handler),
        (0..<8).contains(where: { ring.word(192 + 64 * $0, byteCount: 8) % 2 == 1 })
      {
        moments.insert(.publish)
      }
      if files.fileExists(atPath: container.framesFile + ".new") { moments.insert(.ringCreation) }
    }
    // The lock keeps running workers from writing, so that an existing temporary file is orphaned.
    let isOrphaned = try FolderLock.hold(on: container.preferencesFolder) {
      files.fileExists(atPath: container.preferencesFile + ".new")
    }
    if isOrphaned { moments.insert(.keyWrite) }
    return moments
  }

  /// The header of the ring, or fewer bytes without a whole file.
  private static func header(of path: String) throws -> Data {
    guard let file = FileHandle(forReadingAtPath: path) else { return Data() }
    defer { file.closeFile() }
    return try file.read(upToCount: 4096) ?? Data()
  }
}

extension Data {
  /// The little-endian number at an offset; 0 after the end.
  fileprivate func word(_ offset: Int, byteCount: Int) -> UInt64 {
    guard offset + byteCount <= count else { return 0 }
    return (0..<byteCount).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
  }
}
