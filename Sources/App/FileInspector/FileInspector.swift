import CommandLineSupport
import Platform
import SharedMemory

/// Tells which of the known formats a file holds, and what is wrong with it.
///
/// ```swift
/// let inspection = try FileInspector.inspect(path: "frames.ring")
/// print(inspection.text)
/// ```
package enum FileInspector {
  /// The largest file that is looked into, in bytes: 1 GiB.
  static let limit = 1 << 30
  /// By so many bytes every format is known, in bytes: more than a mapping of the article, and than a few pieces of
  /// sound. A file of another kind is not read any further.
  private static let head = 16 << 20

  /// Looks into a plain file of this user. It may be written meanwhile: of a ring that is live, a frame that was
  /// overwritten while it was read is read again, and so are an audio ring's counters.
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
      throw ProgramFailure(.inputOutput, "\(path) has more than 1 GiB, which is more than is looked into.")
    }
    return inspect(bytes)
  }

  /// The bytes, or later ones in which the newest frame of a ring was not gone over while they were read, or no packet
  /// of sound was added.
  private static func settled(_ bytes: FileBytes, _ path: String) throws(StorageError) -> FileBytes {
    var bytes = bytes
    for _ in 0..<attempts {
      let isSound = AudioRingFileFormat.isOne(bytes)
      guard isSound || RingFormat.isInUse(bytes) else { break }
      let header = FileBytes(try PlainFile.read(path, limit: RingLayout.slotsOffset))
      let isUnchanged =
        isSound
        ? AudioRingFileFormat.isUnchanged(bytes, according: header)
        : RingFormat.isUnchanged(bytes, according: header)
      if isUnchanged { break }
      bytes = FileBytes(try PlainFile.read(path, limit: limit))
    }
    return bytes
  }

  /// Why a file cannot be read, in words for a file that need not be one of a container's.
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

  /// Looks at bytes.
  package static func inspect(_ bytes: FileBytes) -> Inspection {
    for format in knownFormats {
      if var inspection = format.inspect(bytes) {
        inspection.add(.byteCount, bytes.count)
        return inspection
      }
    }
    var inspection = unknown(isEmpty: bytes.count == 0)
    inspection.add(.byteCount, bytes.count)
    return inspection
  }

  private static func unknown(isEmpty: Bool) -> Inspection {
    var inspection = Inspection(nil)
    inspection.expect(
      false, isEmpty ? "the file is empty" : "its bytes begin like none of the known formats")
    return inspection
  }

  private static let attempts = 20
}
