import PixelAccess
import TestSupport
import WebRTC

func makePixels(_ width: Int, _ height: Int, format: OSType = fullRange) throws -> CVPixelBuffer {
  try PixelBufferPool(width: width, height: height, pixelFormat: format).makeBuffer()
}

/// Returns a buffer of noise. The bytes after each row are 255, so that a read past the end of a row is visible.
func makeNoise(
  _ width: Int, _ height: Int, format: OSType = fullRange, seed: UInt64 = 1
) throws -> CVPixelBuffer {
  let buffer = try makePixels(width, height, format: format)
  var state = seed
  for plane in 0..<2 {
    buffer.writePlane(plane) { bytes, shape in
      bytes.fill(0..<bytes.count, with: 255)
      for row in 0..<shape.height {
        for column in 0..<shape.width * (plane + 1) {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes[row * shape.bytesPerRow + column] = UInt8(truncatingIfNeeded: state >> 56)
        }
      }
    }
  }
  return buffer
}

extension RTCCVPixelBuffer {
  /// Crops and scales without a temporary buffer. Returns whether that succeeded.
  func writesPart(to output: CVPixelBuffer) -> Bool {
    // UNSAFE: only because of the type of a parameter that is `nil`.
    unsafe cropAndScale(to: output, withTempBuffer: nil)
  }
}
