import CoreVideo
import PixelAccess
import TestPatterns
import TestSupport

/// A picture of one luma value and one value of both chroma samples.
func makePicture(
  _ width: Int, _ height: Int, luma: UInt8 = 200, chroma: UInt8 = 60, format: OSType = fullRange
) throws -> CVPixelBuffer {
  let buffer = try PixelBufferPool(width: width, height: height, pixelFormat: format).makeBuffer()
  buffer.writePlane(0) { bytes, _ in bytes.fill(0..<bytes.count, with: luma) }
  buffer.writePlane(1) { bytes, _ in bytes.fill(0..<bytes.count, with: chroma) }
  return buffer
}

/// Frame `number` of the proof pattern.
func makeProof(_ number: UInt64, width: Int = 64, height: Int = 48) throws -> CVPixelBuffer {
  let buffer = try makePicture(width, height)
  let painter = try PatternPainter(
    .proof, width: width, height: height, pixelFormat: fullRange, framesPerSecond: 60)
  try painter.paint(frame: number, into: buffer)
  return buffer
}

/// The visible samples of a plane, row by row.
func rows(_ buffer: CVPixelBuffer, plane: Int) -> [[UInt8]] {
  buffer.readPlane(plane) { bytes, shape in
    (0..<shape.height).map { row in
      (0..<shape.width * (plane + 1)).map { bytes[row * shape.bytesPerRow + $0] }
    }
  }
}
