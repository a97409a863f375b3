import CoreVideo
import PixelAccess
import ScreenBroadcast

/// Reads the bytes as the payload of a frame. A resulting pixel buffer must survive serialization.
package struct PixelBufferTarget: FuzzTarget {
  package static let name = "pixel-buffer"

  package init(folder: String) {}

  package func generatedSeeds() throws -> [[UInt8]] {
    let formats = [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    ]
    return try formats.flatMap { format in
      try [(1, 1), (2, 2), (7, 5)].map { width, height in
        try serialize(PixelBufferPool(width: width, height: height, pixelFormat: format).makeBuffer())
      }
    }
  }

  package func run(_ bytes: [UInt8]) throws {
    guard let buffer = try deserialize(bytes) else { return }
    guard let copy = try deserialize(serialize(buffer)) else {
      throw FuzzFinding("the serialized buffer is rejected")
    }
    try require(
      CVPixelBufferGetPixelFormatType(copy) == CVPixelBufferGetPixelFormatType(buffer),
      "another pixel format")
    for plane in 0..<2 {
      try require(rows(copy, plane) == rows(buffer, plane), "other pixels in plane \(plane)")
    }
  }

  private func deserialize(_ bytes: [UInt8]) throws(FuzzFinding) -> CVPixelBuffer? {
    var serializer = PixelBufferSerializer()
    do throws(PixelBufferSerializer.Failure) { return try serializer.deserialize(bytes.span) } catch {
      try require(!error.description.isEmpty, "a failure without text")
      return nil
    }
  }

  private func serialize(_ buffer: CVPixelBuffer) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try PixelBufferSerializer.serializedSize(of: buffer))
    var span = bytes.mutableSpan
    try PixelBufferSerializer().serialize(buffer, into: &span)
    return bytes
  }

  /// Returns the bytes of a plane's pixels, without the padding of its rows.
  private func rows(_ buffer: CVPixelBuffer, _ plane: Int) -> [UInt8] {
    buffer.readPlane(plane) { bytes, shape in
      (0..<shape.height).flatMap { row in
        (0..<shape.width * (plane + 1)).map { bytes[row * shape.bytesPerRow + $0] }
      }
    }
  }
}
