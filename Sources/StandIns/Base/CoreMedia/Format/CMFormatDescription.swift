// Models CoreMedia/CMFormatDescription.h: descriptions of uncompressed video. `CMFormatDescription+ParameterSets.swift`
// has H.264 and HEVC, `CMAudioFormatDescription.swift` linear PCM.

public typealias FourCharCode = UInt32
public typealias CMMediaType = FourCharCode
public typealias CMVideoCodecType = FourCharCode

public let kCMMediaType_Video: CMMediaType = 0x7669_6465

public struct CMVideoDimensions: Sendable, Equatable {
  public var width: Int32
  public var height: Int32

  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }

  public init() { self.init(width: 0, height: 0) }
}

public final class CMFormatDescription: Sendable {
  let mediaCode: CMMediaType
  let subTypeCode: FourCharCode
  public let dimensions: CMVideoDimensions
  /// `nil` for video.
  let audio: AudioFormat?
  /// The parameter sets for an H.264 or HEVC decoder; empty for other formats.
  let parameterSets: [CMBlockBuffer]
  public let extensions: Extensions

  init(
    mediaSubType: FourCharCode, dimensions: CMVideoDimensions, parameterSets: [CMBlockBuffer] = [],
    extensions: Extensions = Extensions()
  ) {
    mediaCode = kCMMediaType_Video
    subTypeCode = mediaSubType
    self.dimensions = dimensions
    audio = nil
    self.parameterSets = parameterSets
    self.extensions = extensions
  }

  init(audio: AudioFormat) {
    mediaCode = kCMMediaType_Audio
    subTypeCode = audio.encoding
    dimensions = CMVideoDimensions()
    self.audio = audio
    parameterSets = []
    extensions = Extensions()
  }
}

public typealias CMVideoFormatDescription = CMFormatDescription

@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe formatDescriptionOut.pointee = CMFormatDescription(of: imageBuffer)
  return 0
}

public func CMVideoFormatDescriptionMatchesImageBuffer(
  _ videoDesc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
  videoDesc.matches(imageBuffer)
    && videoDesc.extensions[.bytesPerRow] == CMFormatDescription.Extensions(imageBuffer)[.bytesPerRow]
}

public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions
{
  videoDesc.dimensions
}

public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaCode }

public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
  desc.subTypeCode
}

extension CMFormatDescription {
  /// Whether a sample of an image may have this description. Compares the pixel format, the size and the colour attachments.
  func matches(_ imageBuffer: CVImageBuffer) -> Bool {
    mediaCode == kCMMediaType_Video && subTypeCode == CVPixelBufferGetPixelFormatType(imageBuffer)
      && dimensions == imageBuffer.dimensions
      && extensions.colours == Extensions(imageBuffer).colours
  }
}

extension CVBuffer {
  /// The size of the image. Core Video's limit of 16,384 pixels keeps it within 32 bits.
  var dimensions: CMVideoDimensions {
    CMVideoDimensions(width: Int32(CVPixelBufferGetWidth(self)), height: Int32(CVPixelBufferGetHeight(self)))
  }
}
