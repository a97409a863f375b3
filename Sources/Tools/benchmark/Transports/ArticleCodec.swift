import CoreVideo
import Foundation
import PixelAccess
import ScreenBroadcast

/// How the article's design makes bytes of a pixel buffer and back: through a `Data`, with one copy more each way.
struct ArticleCodec {
  private var serializer = PixelBufferSerializer()

  /// The header and the planes, one after the other, in a `Data` of their own.
  func serialize(_ picture: Picture) -> Data {
    var data = Data(capacity: picture.byteCount)
    data.append(contentsOf: picture.header)
    for plane in 0..<picture.pixelBuffer.planeCount {
      picture.pixelBuffer.readPlane(plane) { bytes, _ in
        // UNSAFE: the bytes of the span, copied before the closure ends.
        unsafe bytes.withUnsafeBufferPointer { bytes in unsafe data.append(bytes) }
      }
    }
    return data
  }

  /// Serialises, and copies that to the one slot.
  func write(_ picture: Picture, to slot: UnsafeMutableRawPointer) {
    // UNSAFE: the caller's slot has room for the picture's bytes.
    unsafe serialize(picture).withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { unsafe slot.copyMemory(from: base, byteCount: bytes.count) }
    }
  }

  /// The one slot as a `Data`, and that as a pixel buffer. From a pool, although the article makes one a frame.
  mutating func read(_ slot: UnsafeRawPointer, count: Int) throws -> CVPixelBuffer {
    // UNSAFE: the caller's slot has `count` bytes.
    let data = unsafe Data(bytes: slot, count: count)
    return try unsafe data.withUnsafeBytes { bytes in
      try unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
        try unsafe serializer.deserialize(bytes.span)
      }
    }
  }
}
