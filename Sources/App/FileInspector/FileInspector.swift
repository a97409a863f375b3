import CommandLineSupport
import Platform
import SharedMemory

/// Finds which known format a file has and what is wrong with it.
///
/// ```swift
/// let inspection = try FileInspector.inspect(path: "frames.ring")
/// print(inspection.text)
/// ```
package enum FileInspector {
  /// The largest file that is inspected, in bytes: 1 GiB.
  private static let limit = 1 << 30
  /// The bytes from which every format is recognised: more than a mapping of the article, and than some pieces of
  /// audio. No more is read of a file of another kind.
  private static let head = 16 << 20
  private static let attempts = 20

  /// Inspects a plain file of this user, which may be written at the same time: a frame or audio counters that were
  /// overwritten during the read are read again.
  ///
  /// Throws if the file cannot be read or has more than 1 GiB.
  package static func inspect(path: String) throws(ProgramFailure) -> Inspection {
    do throws(StorageError) {
      var bytes = try PlainFile.read(path, limit: head)
      if bytes.count == head {
        guard recognise(bytes) != nil else { return unknown(isEmpty: false) }
        bytes = try PlainFile.read(path, limit: limit + 1)
      }
      for _ in 0..<attempts where try wasOverwritten(bytes, path) {
        bytes = try PlainFile.read(path, limit: limit + 1)
      }
      if bytes.count <= limit { return inspect(bytes) }
    } catch {
      throw failure(error)
    }
    throw ProgramFailure(.inputOutput, "\(path) has more than 1 GiB, the limit of an inspection.")
  }

  /// Whether the writer of a ring has overwritten what is inspected since `bytes` were read.
  private static func wasOverwritten(_ bytes: [UInt8], _ path: String) throws(StorageError) -> Bool {
    let counters = RingFormat.counters(in: bytes) + AudioRingFileFormat.counters(in: bytes)
    if counters.isEmpty { return false }
    let header = try PlainFile.read(path, limit: RingLayout.Header.byteCount)
    return counters.contains { bytes.uint64(at: $0) != header.uint64(at: $0) }
  }

  /// The sentences for a file that may lie outside a container.
  private static func failure(_ error: StorageError) -> ProgramFailure {
    switch error {
    case .notAPlainFile(let path):
      ProgramFailure(errno: error.code, "\(path) is not a plain file.")
    case .symbolicLink(let path):
      ProgramFailure(errno: error.code, "\(path) is a symbolic link; name the file it points to.")
    case .foreignOwner(let path, let owner):
      ProgramFailure(errno: error.code, "\(path) belongs to user \(owner); name a copy of your own.")
    default: ProgramFailure(error)
    }
  }

  package static func inspect(_ bytes: [UInt8]) -> Inspection {
    var inspection = recognise(bytes) ?? unknown(isEmpty: bytes.isEmpty)
    inspection.add(.byteCount, bytes.count)
    return inspection
  }

  private static func recognise(_ bytes: [UInt8]) -> Inspection? {
    knownFormats.lazy.compactMap { $0.inspect(bytes) }.first
  }

  private static func unknown(isEmpty: Bool) -> Inspection {
    var inspection = Inspection(nil)
    inspection.fail(isEmpty ? "the file is empty" : "its bytes begin like none of the known formats")
    return inspection
  }
}

/// A format of frames or audio between an extension and its app.
package protocol KnownFormat: SendableMetatype {
  /// The name in the JSON event `inspected`.
  static var name: String { get }
  /// A description that follows the name.
  static var summary: String { get }
  /// The content of bytes from outside; `nil` if they have another format. Malformed bytes of this format give an
  /// inspection with problems. Never traps.
  static func inspect(_ bytes: [UInt8]) -> Inspection?
}

/// The known formats, in the order of recognition: those with a magic number first.
package let knownFormats: [any KnownFormat.Type] = [
  RingFormat.self, AudioRingFileFormat.self, ArticleFormat.self,
]
