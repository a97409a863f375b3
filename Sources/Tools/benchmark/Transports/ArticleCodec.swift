import CoreVideo
import Foundation
import PixelAccess
import ScreenBroadcast

/// The conversion of the article's design between a pixel buffer and bytes, through a `Data` and with one more copy.
struct ArticleCodec {
  private var serializer = PixelBufferSerializer()

  /// Serialises a pixel buffer into a new `Data`, and copies that to the single slot.
  func write(_ picture: Picture, to slot: UnsafeMutableRawPointer) {
    var data = Data(capacity: picture.byteCount)
    data.append(contentsOf: picture.header)
    for plane in 0..<picture.pixelBuffer.planeCount {
      picture.pixelBuffer.readPlane(plane) { bytes, _ in
        // UNSAFE: the bytes of the span, copied before the closure ends.
        unsafe bytes.withUnsafeBufferPointer { bytes in unsafe data.append(bytes) }
      }
    }
    // UNSAFE: the caller's slot has room for the picture's bytes.
    unsafe data.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { unsafe slot.copyMemory(from: base, byteCount: bytes.count) }
    }
  }

  /// Copies the single slot to a `Data`, and that to a pixel buffer of a pool. (The article creates a buffer per frame.)
  mutating func read(_ slot: UnsafeRawPointer, count: Int) throws -> CVPixelBuffer {
    // UNSAFE: the caller's slot has `count` bytes.
    try serializer.deserialize(unsafe Data(bytes: slot, count: count).span)
  }
}
