import CommandLineSupport
import SharedMemory

/// Tells which of the known formats a file holds, and what is wrong with it.
///
/// ```swift
/// let inspection = try FileInspector.inspect(path: "frames.ring")
/// print(inspection.text)
/// ```
public enum FileInspector {
  /// The largest file that is looked into, in bytes.
  static let limit = 1 << 30

  /// Looks into a plain file of this user. It may be written meanwhile: of a ring that is live, a frame that was
  /// overwritten while it was read is read again.
  public static func inspect(path: String) throws(ProgramFailure) -> Inspection {
    do throws(StorageError) {
      var bytes = FileBytes(try PlainFile.read(path, limit: limit))
      for _ in 0..<attempts {
        guard RingFormat.isInUse(bytes) else { break }
        let header = FileBytes(try PlainFile.read(path, limit: RingLayout.slotsOffset))
        if RingFormat.isUnchanged(bytes, according: header) { break }
        bytes = FileBytes(try PlainFile.read(path, limit: limit))
      }
      return inspect(bytes)
    } catch {
      throw ProgramFailure(error)
    }
  }

  /// Looks at bytes.
  public static func inspect(_ bytes: FileBytes) -> Inspection {
    for format in knownFormats {
      if var inspection = format.inspect(bytes) {
        inspection.add(.byteCount, bytes.count)
        return inspection
      }
    }
    var inspection = Inspection(nil)
    inspection.add(.byteCount, bytes.count)
    inspection.expect(
      false, bytes.count == 0 ? "the file is empty" : "its bytes begin like none of the known formats")
    return inspection
  }

  private static let attempts = 20
}
