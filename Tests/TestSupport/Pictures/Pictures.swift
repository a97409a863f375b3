import PixelAccess
import WebRTC

/// The pixel format with full-range samples (0 to 255).
package let fullRange = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
/// The pixel format with video-range samples (luma 16 to 235).
package let videoRange = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange

package func samples(_ buffer: CVPixelBuffer, plane: Int) -> [UInt8] {
  buffer.readPlane(plane) { bytes, shape in
    (0..<shape.height).flatMap { row in
      (0..<shape.width * (plane + 1)).map { bytes[row * shape.bytesPerRow + $0] }
    }
  }
}

package func makeFrame(
  _ picture: CVPixelBuffer, rotation: RTCVideoRotation = ._0, at timeStampNs: Int64 = 0
) -> RTCVideoFrame {
  RTCVideoFrame(buffer: RTCCVPixelBuffer(pixelBuffer: picture), rotation: rotation, timeStampNs: timeStampNs)
}

/// Returns a picture with one luma value, and one value for both chroma samples.
package func makeFilledPicture(
  _ width: Int, _ height: Int, luma: UInt8 = 200, chroma: UInt8 = 60, format: OSType = fullRange
) throws -> CVPixelBuffer {
  let buffer = try PixelBufferPool(width: width, height: height, pixelFormat: format).makeBuffer()
  buffer.writePlane(0) { bytes, _ in bytes.fill(0..<bytes.count, with: luma) }
  buffer.writePlane(1) { bytes, _ in bytes.fill(0..<bytes.count, with: chroma) }
  return buffer
}

/// Returns a picture whose samples are returned by `sample(plane, row, column)`. Its rows have padding unless their length
/// is a multiple of `alignment`.
package func makePatternedPicture(
  _ width: Int, _ height: Int, _ format: OSType = fullRange, alignment: Int = 16,
  _ sample: (Int, Int, Int) -> UInt8 = { _, _, _ in 0 }
) throws -> CVPixelBuffer {
  var made: CVPixelBuffer?
  // UNSAFE: the out parameter of the create call.
  let code = unsafe CVPixelBufferCreate(
    nil, width, height, format, [kCVPixelBufferBytesPerRowAlignmentKey: alignment], &made)
  guard code == kCVReturnSuccess, let buffer = made else {
    throw PixelBufferError(code: code, width: width, height: height, pixelFormat: format)
  }
  for plane in 0..<buffer.planeCount {
    buffer.writePlane(plane) { bytes, shape in
      for row in 0..<shape.height {
        for column in 0..<shape.width * (plane + 1) {
          bytes[row * shape.bytesPerRow + column] = sample(plane, row, column)
        }
      }
    }
  }
  return buffer
}

/// Returns a picture of random samples, always the same samples for a size.
package func makeRandomPicture(
  _ width: Int, _ height: Int, _ format: OSType = fullRange, alignment: Int
) throws -> CVPixelBuffer {
  var random = SeededGenerator(seed: UInt64(width * 10_000 + height))
  return try makePatternedPicture(width, height, format, alignment: alignment) { _, _, _ in
    UInt8(truncatingIfNeeded: random.next() >> 40)
  }
}
