import CommandLineSupport
import CoreVideo
import Glibc
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import TestPatterns

/// The frame to send: a pixel buffer with rows aligned as on devices, and the same as bytes.
@safe
final class Picture {
  let size: PixelSize
  let pixelBuffer: CVPixelBuffer
  /// The byte count of the serialised pixel buffer.
  let byteCount: Int
  // UNSAFE: owned by this object, on a page boundary, for `byteCount` bytes.
  let bytes: UnsafeMutableRawPointer

  /// A frame of noise, so that no two pages are equal.
  init(_ size: PixelSize) throws {
    self.size = size
    let (width, height, format) = (size.width, size.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    pixelBuffer = try PixelBufferPool(width: width, height: height, pixelFormat: format).makeBuffer()
    try PatternPainter(.noise, width: width, height: height, pixelFormat: format, framesPerSecond: 60)
      .paint(frame: 1, into: pixelBuffer)
    byteCount = try PixelBufferSerializer.serializedSize(of: pixelBuffer)
    // UNSAFE: fresh memory of our own, freed by deinit.
    unsafe bytes = .allocate(byteCount: byteCount, alignment: 4096)
    // UNSAFE: all of the memory, bound as bytes.
    let buffer = unsafe UnsafeMutableBufferPointer(
      start: bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount), count: byteCount)
    var span = unsafe buffer.mutableSpan
    try PixelBufferSerializer().serialize(pixelBuffer, into: &span)
  }

  deinit { unsafe bytes.deallocate() }

  /// Copies all of its bytes in one `memcpy`.
  @inline(__always)
  func copy(to destination: UnsafeMutableRawPointer) {
    // UNSAFE: the caller's destination has room for `byteCount` bytes.
    _ = unsafe memcpy(destination, bytes, byteCount)
  }

  /// Copies all of its bytes into a slot in one `memcpy`.
  @inline(__always)
  func copy(to slot: inout MutableSpan<UInt8>) {
    precondition(slot.count >= byteCount, "the slot is too small for the picture")
    // UNSAFE: the room was just checked.
    unsafe slot.withUnsafeMutableBytes { slot in
      if let base = slot.baseAddress { unsafe copy(to: base) }
    }
  }

  /// Publishes the pixel buffer as the extension does.
  func publish(to ring: FrameRingWriter) throws {
    let header = try PixelBufferSerializer.Header(of: pixelBuffer)
    try ring.publish(byteCount: header.byteCount) { header.write(pixelBuffer, into: &$0) }
  }
}
