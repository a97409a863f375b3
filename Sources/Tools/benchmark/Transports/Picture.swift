import CommandLineSupport
import CoreVideo
import Glibc
import PixelAccess
import ScreenBroadcast

/// The frame to send: a pixel buffer with rows aligned as on devices, and the same as bytes.
@safe
final class Picture {
  let size: PixelSize
  let pixelBuffer: CVPixelBuffer
  /// The byte count of the serialised pixel buffer.
  let byteCount: Int
  /// The bytes before the planes.
  let header: [UInt8]
  // UNSAFE: owned by this object, on a page boundary, for `byteCount` bytes.
  private let storage: UnsafeMutableRawPointer?

  /// A frame of small blocks in many greys, so that no two pages are equal, and JPEG has work to do.
  ///
  /// - Parameter keepsBytes: whether ``bytes`` is used.
  init(_ size: PixelSize, keepsBytes: Bool = true) throws {
    self.size = size
    let pool = try PixelBufferPool(
      width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    pixelBuffer = try pool.makeBuffer()
    for plane in 0..<pixelBuffer.planeCount {
      pixelBuffer.writePlane(plane) { bytes, shape in
        // UNSAFE: within the plane; eight bytes at a time, as a debug build takes long byte by byte.
        unsafe bytes.withUnsafeMutableBytes { bytes in
          for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
            let block = UInt64(
              offset / shape.bytesPerRow / 5 * shape.bytesPerRow + offset % shape.bytesPerRow)
            let grey = (block &* 0x9E37_79B9_7F4A_7C15) >> 56
            unsafe bytes.storeBytes(of: grey &* 0x0101_0101_0101_0101, toByteOffset: offset, as: UInt64.self)
          }
        }
      }
    }
    byteCount = try PixelBufferSerializer.serializedSize(of: pixelBuffer)
    // UNSAFE: fresh memory of our own, freed by deinit.
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
    unsafe storage = keepsBytes ? bytes : nil
    defer { if !keepsBytes { unsafe bytes.deallocate() } }
    let buffer = unsafe UnsafeMutableBufferPointer<UInt8>(
      start: bytes.bindMemory(to: UInt8.self, capacity: byteCount), count: byteCount)
    unsafe buffer.initialize(repeating: 0)
    var span = unsafe buffer.mutableSpan
    try PixelBufferSerializer().serialize(pixelBuffer, into: &span)
    header = (0..<64).map { span[$0] }
  }

  deinit { unsafe storage?.deallocate() }

  /// The serialised pixel buffer.
  var bytes: UnsafeMutableRawPointer {
    guard let storage = unsafe storage else { preconditionFailure("the picture was made without its bytes") }
    return unsafe storage
  }

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
}
