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
  static let limit = 1 << 30
  /// The bytes from which every format is recognised: more than a mapping of the article, and than some pieces of
  /// audio. No more is read of a file of another kind.
  private static let head = 16 << 20
  private static let attempts = 20

  /// Inspects a plain file of this user, which may be written at the same time: a frame or audio counters that were
  /// overwritten during the read are read again.
  ///
  /// Throws if the file cannot be read or has more than 1 GiB.
  package static func inspect(path: String) throws(ProgramFailure) -> Inspection {
    let bytes: FileBytes
    do throws(StorageError) {
      let start = FileBytes(try PlainFile.read(path, limit: head))
      if start.count < head {
        bytes = try settled(start, path)
      } else {
        guard knownFormats.contains(where: { $0.inspect(start) != nil }) else {
          return unknown(isEmpty: false)
        }
        bytes = try settled(FileBytes(try PlainFile.read(path, limit: limit + 1)), path)
      }
    } catch {
      throw failure(error)
    }
    guard bytes.count <= limit else {
      throw ProgramFailure(.inputOutput, "\(path) has more than 1 GiB, the limit of an inspection.")
    }
    return inspect(bytes)
  }

  /// The bytes, or later ones whose newest frame or audio counters were not overwritten during the read.
  private static func settled(_ bytes: FileBytes, _ path: String) throws(StorageError) -> FileBytes {
    var bytes = bytes
    for _ in 0..<attempts {
      let isAudio = AudioRingFileFormat.matches(bytes)
      guard isAudio || RingFormat.hasFrame(bytes) else { break }
      let header = FileBytes(try PlainFile.read(path, limit: RingLayout.slotsOffset))
      let isUnchanged =
        isAudio
        ? AudioRingFileFormat.isUnchanged(bytes, according: header)
        : RingFormat.isUnchanged(bytes, according: header)
      if isUnchanged { break }
      bytes = FileBytes(try PlainFile.read(path, limit: limit))
    }
    return bytes
  }

  /// The sentences for a file that may lie outside a container.
  private static func failure(_ error: StorageError) -> ProgramFailure {
    switch error {
    case .notAPlainFile(let path):
      ProgramFailure(errno: error.code, "\(path) is not a plain file; capture the stream into one.")
    case .symbolicLink(let path):
      ProgramFailure(errno: error.code, "\(path) is a symbolic link; name the file it points to.")
    case .foreignOwner(let path, let owner):
      ProgramFailure(errno: error.code, "\(path) belongs to user \(owner); name a copy of your own.")
    default: ProgramFailure(error)
    }
  }

  /// Inspects bytes.
  package static func inspect(_ bytes: FileBytes) -> Inspection {
    var inspection =
      knownFormats.lazy.compactMap { $0.inspect(bytes) }.first ?? unknown(isEmpty: bytes.count == 0)
    inspection.add(.byteCount, bytes.count)
    return inspection
  }

  private static func unknown(isEmpty: Bool) -> Inspection {
    var inspection = Inspection(nil)
    inspection.expect(
      false, isEmpty ? "the file is empty" : "its bytes begin like none of the known formats")
    return inspection
  }
}

/// A format of frames or audio between an extension and its app, of this program or of other apps.
package protocol KnownFormat: SendableMetatype {
  /// The name in the JSON event `inspected`.
  static var name: String { get }
  /// A description that follows the name.
  static var summary: String { get }
  /// The content of bytes from outside; `nil` if they have another format. Malformed bytes of this format give an
  /// inspection with problems. Never traps.
  static func inspect(_ bytes: FileBytes) -> Inspection?
}

/// The known formats, in the order of recognition: those with a magic number first.
package let knownFormats: [any KnownFormat.Type] = [
  RingFormat.self, AudioRingFileFormat.self, HTTPStreamFormat.self, DescribedAudioFormat.self,
  LengthPrefixedFormat.self, ArticleFormat.self, TimedMappingFormat.self, CompanionFormat.self,
  AudioFormat.self,
]
