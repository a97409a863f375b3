import CoreMedia
import Foundation
import Testing

@Suite struct FormatDescriptionExtensionTests {
  private func image(_ attachments: CFDictionary = [:]) throws -> CVImageBuffer {
    var image: CVImageBuffer?
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CVPixelBufferCreate(
      nil, 886, 1918, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &image)
    #expect(code == kCVReturnSuccess)
    CVBufferSetAttachments(try #require(image), attachments, .shouldPropagate)
    return try #require(image)
  }

  private func description(_ image: CVImageBuffer) throws -> CMVideoFormatDescription {
    var description: CMVideoFormatDescription?
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: image, formatDescriptionOut: &description)
    #expect(code == 0)
    return try #require(description)
  }

  // The dump of a frame of an iPhone X, iOS 11.
  @Test func aPlainImageHasVersionAndRowLength() throws {
    let extensions = try #require(CMFormatDescriptionGetExtensions(description(image())))
    #expect(extensions as? [String: Int] == ["Version": 2, "CVBytesPerRow": 1348])
  }

  @Test func coloursOfTheImageAreExtensions() throws {
    let description = try description(
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
    let video = try description(image())
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
    #expect(CMVideoFormatDescriptionMatchesImageBuffer(try description(tagged), imageBuffer: tagged))
    #expect(!CMVideoFormatDescriptionMatchesImageBuffer(try description(tagged), imageBuffer: plain))
    #expect(!CMVideoFormatDescriptionMatchesImageBuffer(try description(plain), imageBuffer: tagged))
  }
}
