import CoreMedia
import Testing

@Suite struct FormatDescriptionExtensionTests {
  private func image(_ attachments: CFDictionary = [:]) throws -> CVImageBuffer {
    try makeImage(width: 886, height: 1918, attachments: attachments)
  }

  // The values are from the dump of a frame on an iPhone X with iOS 11.
  @Test func aPlainImageHasVersionAndRowLength() throws {
    let extensions = try #require(CMFormatDescriptionGetExtensions(makeDescription(image())))
    #expect(extensions as? [String: Int] == ["Version": 2, "CVBytesPerRow": 1348])
  }

  @Test func coloursOfTheImageAreExtensions() throws {
    let description = try makeDescription(
      image([
        kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_709_2,
        kCVImageBufferChromaLocationTopFieldKey: kCVImageBufferChromaLocation_Left, "other": "ignored",
      ]))
    #expect(CMFormatDescriptionGetExtensions(description)?.count == 4)
    let key = kCMFormatDescriptionExtension_YCbCrMatrix
    #expect(CMFormatDescriptionGetExtension(description, extensionKey: key) as? String == "ITU_R_709_2")
    let place = description.extensions[.chromaLocationTopField]?.propertyListRepresentation as? String
    #expect(place == "Left")
    #expect(description.extensions[.transferFunction] == nil)
  }

  @Test func theCodesOfAFormatAreTypes() throws {
    let video = try makeDescription(image())
    #expect(video.mediaType == .video && video.mediaSubType != .pixelFormat_32BGRA)
    #expect(video.mediaSubType.rawValue == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    #expect(video.mediaType.description == "'vide'" && "\(video.mediaSubType)" == "'420f'")
    #expect(video.dimensions == CMVideoDimensions(width: 886, height: 1918))
    let audio = try makeDescription(CoreMediaTests.description())
    #expect(audio.mediaType == .audio && audio.mediaSubType == .linearPCM)
    #expect(audio.dimensions == CMVideoDimensions())
  }

  @Test func aDescriptionMatchesImagesOfItsColours() throws {
    let plain = try image()
    let tagged = try image([kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_601_4])
    #expect(CMVideoFormatDescriptionMatchesImageBuffer(try makeDescription(tagged), imageBuffer: tagged))
    #expect(!CMVideoFormatDescriptionMatchesImageBuffer(try makeDescription(tagged), imageBuffer: plain))
    #expect(!CMVideoFormatDescriptionMatchesImageBuffer(try makeDescription(plain), imageBuffer: tagged))
  }
}
