import CoreVideo
import PixelAccess
import ScreenBroadcast

/// A frame's payload, made into a pixel buffer; what comes out survives the way there and back.
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
    guard let picture = try picture(bytes) else { return }
    guard let copy = try self.picture(serialize(picture)) else {
      throw FuzzFinding("it does not travel again")
    }
    try require(
      CVPixelBufferGetPixelFormatType(copy) == CVPixelBufferGetPixelFormatType(picture),
      "another pixel format")
    for plane in 0..<2 {
      try require(rows(copy, plane) == rows(picture, plane), "other pixels in plane \(plane)")
    }
  }

  /// The bytes as a picture; `nil` when they are refused.
  private func picture(_ bytes: [UInt8]) throws(FuzzFinding) -> CVPixelBuffer? {
    var serializer = PixelBufferSerializer()
    do throws(PixelBufferSerializer.Failure) {
      return try serializer.deserialize(bytes.span)
    } catch {
      try require(!error.description.isEmpty, "a failure without words")
      return nil
    }
  }

  private func serialize(_ picture: CVPixelBuffer) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try PixelBufferSerializer.serializedSize(of: picture))
    var span = bytes.mutableSpan
    try PixelBufferSerializer().serialize(picture, into: &span)
    return bytes
  }

  /// The bytes of a plane's pixels, without the padding of its rows.
  private func rows(_ picture: CVPixelBuffer, _ plane: Int) -> [UInt8] {
    picture.readPlane(plane) { bytes, shape in
      (0..<shape.height).flatMap { row in
        (0..<shape.width * (plane + 1)).map { bytes[row * shape.bytesPerRow + $0] }
      }
    }
  }
}
