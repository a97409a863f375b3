import CoreVideo
import ScreenBroadcast
import SharedMemory
import TestSupport

extension AppGroupContainer {
  func makeRing(capacity: Int = 4000) throws(FileError) -> FrameRingWriter {
    try FrameRingWriter(path: framesFile, slotCount: 3, payloadCapacity: capacity)
  }
}

extension FrameRingWriter {
  /// Publishes a frame at the time of `clock` (default: 6 ns).
  @discardableResult
  func publish(
    _ picture: CVPixelBuffer, orientation: UInt32 = 1, clock: TestClock = TestClock(at: 6)
  ) throws -> FrameStamp {
    let header = try PixelBufferSerializer.Header(of: picture)
    return try publish(
      byteCount: header.byteCount, captureTime: 5, orientation: orientation, clock: clock
    ) { header.write(picture, into: &$0) }
  }

  /// Publishes bytes that are not a pixel buffer.
  func publishRubbish() throws {
    try publish(byteCount: 200, captureTime: 5, orientation: 1, clock: TestClock(at: 6)) { slot in
      for index in 0..<200 { slot[index] = 0xEE }
    }
  }
}
