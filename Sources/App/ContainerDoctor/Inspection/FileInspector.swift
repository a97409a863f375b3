import CommandLineSupport
import Platform
import SharedMemory

/// Finds which ring a file is and what is wrong with it.
///
/// ```swift
/// let inspection = try FileInspector.inspect(path: "frames.ring")
/// print(inspection.text)
/// ```
package enum FileInspector {
  /// The largest file that is inspected, in bytes: 1 GiB.
  private static let limit = 1 << 30
  private static let attempts = 20

  /// Inspects a plain file of this user, which may be written at the same time: a frame or audio counters that were
  /// overwritten during the read are read again.
  ///
  /// Throws if the file cannot be read or has more than 1 GiB.
  package static func inspect(path: String) throws(ProgramFailure) -> Inspection {
    do throws(FileError) {
      // No more is read of a file of another kind.
      let head = try PlainFile.read(path, limit: RingLayout.Header.byteCount)
      guard format(of: head) != nil else { return inspect(head) }
      var bytes = try PlainFile.read(path, limit: limit + 1)
      for _ in 0..<attempts where try wasOverwritten(bytes, path) {
        bytes = try PlainFile.read(path, limit: limit + 1)
      }
      if bytes.count <= limit { return inspect(bytes) }
    } catch {
      throw failure(error)
    }
    throw ProgramFailure(.inputOutput, "\(path) has more than 1 GiB, the limit of an inspection.")
  }

  /// Whether the writer has overwritten what is inspected since `bytes` were read.
  private static func wasOverwritten(_ bytes: [UInt8], _ path: String) throws(FileError) -> Bool {
    guard let counter = counter(in: bytes) else { return false }
    let header = try PlainFile.read(path, limit: RingLayout.Header.byteCount)
    return bytes.uint64(at: counter) != header.uint64(at: counter)
  }

  /// The offset of the counter that changes when what is inspected is overwritten; `nil` without one.
  private static func counter(in bytes: [UInt8]) -> Int? {
    switch format(of: bytes) {
    case .ring:
      let (number, slot) = RingLayout.unpack(bytes.uint64(at: RingLayout.Header.latest))
      return number > 0 && slot < RingLayout.slotCounts.upperBound ? Inspection.counter(of: slot) : nil
    case .audioRing: return AudioRingLayout.Header.packets
    case nil: return nil
    }
  }

  /// The sentences for a file that may lie outside a container.
  private static func failure(_ error: FileError) -> ProgramFailure {
    let path = error.path
    return switch error.reason {
    case .notAPlainFile:
      ProgramFailure(errno: error.code, "\(path) is not a plain file.")
    case .symbolicLink:
      ProgramFailure(errno: error.code, "\(path) is a symbolic link; name the file it points to.")
    case .foreignOwner(let owner):
      ProgramFailure(errno: error.code, "\(path) belongs to user \(owner); name a copy of your own.")
    default: ProgramFailure(error)
    }
  }

  /// The content of bytes from outside; malformed bytes give an inspection with problems. Never traps.
  package static func inspect(_ bytes: [UInt8]) -> Inspection {
    var inspection = Inspection(format(of: bytes))
    switch inspection.format {
    case .ring: inspection.addRing(bytes)
    case .audioRing: inspection.addAudioRing(bytes)
    case nil:
      inspection.fail(
        bytes.isEmpty ? "the file is empty" : "its bytes begin like none of the known formats")
      return inspection
    }
    inspection.add(.byteCount, bytes.count)
    return inspection
  }

  private static func format(of bytes: [UInt8]) -> Inspection.Format? {
    switch bytes.uint64(at: RingLayout.Header.magic) {
    case RingLayout.magic: .ring
    case AudioRingLayout.magic: .audioRing
    default: nil
    }
  }
}

/// Reads of a file's bytes that never leave their bounds.
extension [UInt8] {
  /// The little-endian number at `offset` of a header whose length was checked; 0 if it is not all there.
  private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return 0 }
    return span.loadLittleEndian(at: offset, as: Number.self)
  }

  func uint32(at offset: Int) -> UInt32 { number(at: offset) }
  func uint64(at offset: Int) -> UInt64 { number(at: offset) }

  /// `count` bytes from `offset`; `nil` if they are not all there.
  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= self.count - count else { return nil }
    return self[offset..<(offset + count)]
  }
}
