import CoreVideo
import PixelAccess
import TestPatterns
import TestSupport

func makeProof(_ number: UInt64, width: Int = 64, height: Int = 48) throws -> CVPixelBuffer {
  let buffer = try makeFilledPicture(width, height)
  let painter = try PatternPainter(
    .proof, width: width, height: height, pixelFormat: fullRange, framesPerSecond: 60)
  try painter.paint(frame: number, into: buffer)
  return buffer
}

func rows(_ buffer: CVPixelBuffer, plane: Int) -> [[UInt8]] {
  buffer.readPlane(plane) { bytes, shape in
    (0..<shape.height).map { row in
      (0..<shape.width * (plane + 1)).map { bytes[row * shape.bytesPerRow + $0] }
    }
  }
}
