import CoreVideo
import PixelAccess
import TestSupport

/// Returns a frame in which every byte, including padding, depends on its offset and on `seed`.
func makePicture(
  width: Int = 8, height: Int = 6, format: OSType = fullRange, alignment: Int = 64, seed: UInt8 = 0
) throws -> CVPixelBuffer {
  var buffer: CVPixelBuffer?
  let attributes: CFDictionary = [kCVPixelBufferBytesPerRowAlignmentKey: alignment]
  // UNSAFE: an out parameter of this frame.
  #expect(unsafe CVPixelBufferCreate(nil, width, height, format, attributes, &buffer) == kCVReturnSuccess)
  let picture = try #require(buffer)
  for plane in 0..<picture.planeCount {
    picture.writePlane(plane) { bytes, _ in
      for index in 0..<bytes.count {
        bytes[index] = UInt8(truncatingIfNeeded: index &* 7 &+ plane &+ Int(seed))
      }
    }
  }
  return picture
}

/// Returns the bytes of a frame's pixels, without the padding of the rows.
func pixels(of picture: CVPixelBuffer) -> [UInt8] {
  (0..<picture.planeCount).flatMap { samples(picture, plane: $0) }
}
