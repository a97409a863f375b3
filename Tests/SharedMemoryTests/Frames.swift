import Foundation
import SharedMemory

extension FrameRingWriter {
  /// A ring of small slots.
  convenience init(at path: String, slots: Int = 3, capacity: Int = 1000) throws(RingError) {
    try self.init(path: path, slotCount: slots, payloadCapacity: capacity, now: 7)
  }

  /// Publishes a frame of `byteCount` times the same byte.
  @discardableResult
  func publish(
    repeating byte: UInt8, byteCount: Int = 100, captureTime: UInt64 = 1, orientation: UInt32 = 1
  ) throws -> FrameStamp {
    try publish(byteCount: byteCount, captureTime: captureTime, orientation: orientation, now: { 2 }) {
      slot in
      // UNSAFE: the span's own range.
      unsafe slot.withUnsafeMutableBytes { _ = unsafe memset($0.baseAddress!, Int32(byte), $0.count) }
    }
  }
}

/// A frame as a test sees it.
struct Frame: Equatable {
  var stamp: FrameStamp
  var bytes: [UInt8]
}

extension FrameRingReader {
  /// The newest frame's stamp and bytes; damage of the ring is thrown as ``RingError``.
  func nextFrame() throws(RingError) -> Frame? {
    do throws(ReadError<Never>) {
      return try next { stamp, payload in Frame(stamp: stamp, bytes: payload.bytes) }
    } catch {
      switch error {
      case .ring(let error): throw error
      }
    }
  }
}

extension Span<UInt8> {
  /// A copy of the bytes, in one `memcpy`.
  var bytes: [UInt8] {
    // UNSAFE: the span's own range.
    unsafe withUnsafeBytes { unsafe Array($0) }
  }
}

extension [UInt8] {
  /// Whether all bytes are the same, by one `memcmp` with itself, a byte further on.
  var isUniform: Bool {
    guard count > 1 else { return true }
    // UNSAFE: count − 1 bytes from the first and from the second byte.
    return unsafe withUnsafeBytes { unsafe memcmp($0.baseAddress!, $0.baseAddress! + 1, count - 1) == 0 }
  }
}

/// Makes a file shorter or longer, as an outsider does.
func setSize(of path: String, to byteCount: Int) {
  // UNSAFE: the path is lent to the call as a C string.
  let result = unsafe truncate(path, off_t(byteCount))
  precondition(result == 0, "\(path) cannot be cut")
}
