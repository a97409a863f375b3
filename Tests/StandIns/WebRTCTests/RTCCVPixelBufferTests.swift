import TestSupport
import WebRTC

@Suite struct RTCCVPixelBufferTests {
  @Test func theWholeNeedsNoCropping() throws {
    let buffer = RTCCVPixelBuffer(pixelBuffer: try makePixels(7, 5))
    #expect(buffer.width == 7 && buffer.height == 5 && !buffer.requiresCropping())
    #expect(!buffer.requiresScaling(toWidth: 7, height: 5) && buffer.requiresScaling(toWidth: 7, height: 4))
    #expect(buffer.bufferSizeForCroppingAndScaling(toWidth: 2, height: 2) == 0)
  }

  @Test func aPartHasTheAdaptedSizeAndAnEvenCorner() throws {
    let buffer = RTCCVPixelBuffer(
      pixelBuffer: try makePixels(20, 20), adaptedWidth: 5, adaptedHeight: 4, cropWidth: 10, cropHeight: 8,
      cropX: 3, cropY: 5)
    #expect(buffer.width == 5 && buffer.height == 4 && buffer.cropX == 2 && buffer.cropY == 4)
    #expect(buffer.cropWidth == 10 && buffer.cropHeight == 8 && buffer.requiresCropping())
    #expect(buffer.requiresScaling(toWidth: 5, height: 4) && !buffer.requiresScaling(toWidth: 10, height: 8))
  }

  @Test func theSupportedFormatsAreThoseOfCoreVideoHere() {
    let formats = RTCCVPixelBuffer.supportedPixelFormats()
    #expect(formats.contains(NSNumber(value: fullRange)) && formats.contains(NSNumber(value: videoRange)))
  }

  @Test func rotationsAreDegrees() {
    #expect([RTCVideoRotation._0, ._90, ._180, ._270].map(\.rawValue) == [0, 90, 180, 270])
  }
}
