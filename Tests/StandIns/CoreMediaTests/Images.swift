import CoreMedia
import Testing

func makeImage(width: Int = 6, height: Int = 4, attachments: CFDictionary = [:]) throws -> CVImageBuffer {
  var buffer: CVImageBuffer?
  // UNSAFE: the out parameter is a local variable.
  let code = unsafe CVPixelBufferCreate(
    kCFAllocatorDefault, width, height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &buffer)
  #expect(code == kCVReturnSuccess)
  let image = try #require(buffer)
  CVBufferSetAttachments(image, attachments, .shouldPropagate)
  return image
}

func makeDescription(_ image: CVImageBuffer) throws -> CMVideoFormatDescription {
  var description: CMVideoFormatDescription?
  // UNSAFE: the out parameter is a local variable.
  let code = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: kCFAllocatorDefault, imageBuffer: image, formatDescriptionOut: &description)
  #expect(code == 0)
  return try #require(description)
}

extension CMBlockBuffer {
  var bytes: [UInt8] { withBytes { span in span.indices.map { span[$0] } } }
}
