import SharedMemory
import TestSupport

func openRing(at path: String) throws(FileError) -> (FrameRingWriter, FrameRingReader) {
  (try FrameRingWriter(at: path), try FrameRingReader(path: path))
}

extension FrameRingWriter {
  convenience init(at path: String, slots: Int = 3, capacity: Int = 1000) throws(FileError) {
    try self.init(path: path, slotCount: slots, payloadCapacity: capacity, startTime: 7)
  }

  @discardableResult
  func publish(
    repeating byte: UInt8, byteCount: Int = 100, captureTime: MonotonicTime = 1, orientation: UInt32 = 1,
    clock: some MonotonicClock = TestClock(at: 2)
  ) throws -> FrameStamp {
    try publish(byteCount: byteCount, captureTime: captureTime, orientation: orientation, clock: clock) {
      slot in
      // UNSAFE: the range of the span.
      unsafe slot.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        unsafe memset(base, Int32(byte), bytes.count)
      }
    }
  }
}

struct Frame: Equatable {
  var stamp: FrameStamp
  var bytes: [UInt8]
}

extension FrameRingReader {
  /// Returns the newest frame. Throws ``FileError`` if the ring is damaged.
  func nextFrame() throws(FileError) -> Frame? {
    try next { stamp, payload in Frame(stamp: stamp, bytes: payload.bytes) }
  }
}

extension Span<UInt8> {
  /// Copies the bytes to `offset` of an array that has room for them.
  func copy(to array: inout [UInt8], at offset: Int) {
    precondition(offset >= 0 && count <= array.count - offset)
    // UNSAFE: both ranges were just checked.
    unsafe withUnsafeBytes { from in
      unsafe array.withUnsafeMutableBytes { to in
        unsafe UnsafeMutableRawBufferPointer(rebasing: to[offset...]).copyMemory(from: from)
      }
    }
  }

  /// A copy of the bytes, in one `memcpy`.
  var bytes: [UInt8] {
    // UNSAFE: the range of the span.
    unsafe withUnsafeBytes { unsafe Array($0) }
  }
}
