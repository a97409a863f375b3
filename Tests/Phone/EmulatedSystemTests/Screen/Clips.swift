import CoreVideo
import PixelAccess
import TestSupport

/// Returns the bytes of a Y4M clip whose frames have 10, 20, 30 … in every sample.
func clip(frames: Int, width: Int = 4, height: Int = 2, tags: String = " F25:1 XCOLORRANGE=FULL") -> Data {
  var bytes = Data("YUV4MPEG2 W\(width) H\(height)\(tags)\n".utf8)
  for frame in 0..<frames { bytes += clipFrame(frame, width: width, height: height) }
  return bytes
}

func clipFrame(_ index: Int, width: Int = 4, height: Int = 2) -> Data {
  let count = BiPlanar.byteCount(width: width, height: height)
  return Data("FRAME\n".utf8) + Data(repeating: UInt8((index + 1) * 10), count: count)
}

func makeBuffer(_ width: Int, _ height: Int, format: OSType = fullRange) throws -> CVPixelBuffer {
  try PixelBufferPool(width: width, height: height, pixelFormat: format).makeBuffer()
}

func firstSample(_ buffer: CVPixelBuffer) -> UInt8 { buffer.readPlane(0) { bytes, _ in bytes[0] } }
