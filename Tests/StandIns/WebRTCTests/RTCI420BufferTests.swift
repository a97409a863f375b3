import PixelAccess
import TestSupport
import WebRTC

@Suite struct RTCI420BufferTests {
  @Test func aPixelBufferInThreePlanes() throws {
    let pixels = try PixelBufferPool(width: 8, height: 6, pixelFormat: fullRange).makeBuffer()
    pixels.writePlane(0) { bytes, shape in
      for y in 0..<6 { for x in 0..<8 { bytes[y * shape.bytesPerRow + x] = UInt8(10 * y + x) } }
    }
    pixels.writePlane(1) { bytes, shape in
      for y in 0..<3 {
        for x in 0..<8 { bytes[y * shape.bytesPerRow + x] = UInt8(x % 2 == 0 ? 50 + x : 150 + x) }
      }
    }
    let planes = RTCCVPixelBuffer(pixelBuffer: pixels).toI420()
    #expect(planes.width == 8 && planes.height == 6 && planes.chromaWidth == 4 && planes.strideU == 4)
    // UNSAFE: the planes are valid as long as the buffer.
    let samples = unsafe [planes.dataY[5 * 8 + 7], planes.dataU[2 * 4 + 3], planes.dataV[1]]
    #expect(samples == [57, 56, 153])
    let part = RTCCVPixelBuffer(
      pixelBuffer: pixels, adaptedWidth: 4, adaptedHeight: 2, cropWidth: 4, cropHeight: 2, cropX: 2, cropY: 2)
    let cropped = RTCVideoFrame(buffer: part, rotation: ._90, timeStampNs: 7).newI420()
    #expect(cropped.rotation == ._90 && cropped.width == 4 && cropped.buffer is RTCI420Buffer)
    let first = unsafe cropped.buffer.toI420().dataY[0]
    #expect(first == 22)
  }
}
