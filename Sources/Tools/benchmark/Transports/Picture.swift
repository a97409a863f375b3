import CommandLineSupport
import CoreVideo
import Glibc
import PixelAccess
import Platform
import ScreenBroadcast

/// The frame to send: a pixel buffer with rows aligned as on devices, and the same as bytes.
@safe
final class Picture {
  let size: PixelSize
  let pixelBuffer: CVPixelBuffer
  /// The byte count of the serialised pixel buffer.
  let byteCount: Int
  /// The bytes before the planes.
  private(set) var header: [UInt8] = []
  // UNSAFE: owned by this object, on a page boundary, for `byteCount` bytes.
  let bytes: UnsafeMutableRawPointer

  /// A frame of small blocks in many greys, so that no two pages are equal.
  init(_ size: PixelSize) throws {
    self.size = size
    pixelBuffer = try .biPlanar(size)
    byteCount = try PixelBufferSerializer.serializedSize(of: pixelBuffer)
    // UNSAFE: fresh memory of our own, freed by deinit.
    unsafe bytes = .allocate(byteCount: byteCount, alignment: 4096)
    for plane in 0..<pixelBuffer.planeCount {
      pixelBuffer.writePlane(plane) { bytes, shape in
        // Eight bytes at a time, as a debug build takes long byte by byte.
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          let block = UInt64(
            offset / shape.bytesPerRow / 5 * shape.bytesPerRow + offset % shape.bytesPerRow)
          let grey = (block &* 0x9E37_79B9_7F4A_7C15) >> 56
          bytes.storeLittleEndian(grey &* 0x0101_0101_0101_0101, at: offset)
        }
      }
    }
    // UNSAFE: all of the memory, bound as bytes.
    let buffer = unsafe UnsafeMutableBufferPointer(
      start: bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount), count: byteCount)
    var span = unsafe buffer.mutableSpan
    try serialize(into: &span)
    header = unsafe Array(buffer.prefix(64))
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

  func serialize(into slot: inout MutableSpan<UInt8>) throws(PixelBufferSerializer.Failure) {
    try PixelBufferSerializer().serialize(pixelBuffer, into: &slot)
  }
}

extension CVBuffer {
  /// A new pixel buffer in the format of the benchmark's frames.
  static func biPlanar(_ size: PixelSize) throws -> CVPixelBuffer {
    try PixelBufferPool(
      width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ).makeBuffer()
  }
}
