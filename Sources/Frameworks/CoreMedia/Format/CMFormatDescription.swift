// Models CoreMedia/CMFormatDescription.h: descriptions of uncompressed video, in `CMFormatDescription+H264.swift` of
// H.264 and HEVC, and in `CMAudioFormatDescription.swift` of linear PCM.

/// A four-character code.
public typealias FourCharCode = UInt32
/// A kind of media, a four-character code.
public typealias CMMediaType = FourCharCode
/// A codec, or the pixel format of uncompressed video; a four-character code.
public typealias CMVideoCodecType = FourCharCode

/// The media type of video ("vide").
public let kCMMediaType_Video: CMMediaType = 0x7669_6465

/// The size of a video frame, in pixels.
public struct CMVideoDimensions: Sendable, Equatable {
  /// The width, in pixels.
  public var width: Int32
  /// The height, in pixels.
  public var height: Int32

  /// Creates dimensions from a width and a height.
  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }

  /// Creates dimensions of 0 × 0.
  public init() { self.init(width: 0, height: 0) }
}

/// The format of a sample: uncompressed video, H.264, HEVC, or audio.
public final class CMFormatDescription: Sendable {
  let mediaCode: CMMediaType
  let subTypeCode: FourCharCode
  /// The size of a frame, in pixels; 0 × 0 for audio.
  public let dimensions: CMVideoDimensions
  /// `nil` for video.
  let audio: AudioFormat?
  /// What a decoder of H.264 or HEVC needs before the first frame; empty for other formats.
  let parameterSets: [CMBlockBuffer]
  /// What describes the format beyond its code and its size; empty for audio.
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

/// The format of a video sample.
public typealias CMVideoFormatDescription = CMFormatDescription

/// Creates the description of an image buffer: its pixel format, its size, its row length and its colour attachments.
/// - Returns: zero.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe formatDescriptionOut.pointee = CMFormatDescription(
    mediaSubType: CVPixelBufferGetPixelFormatType(imageBuffer), dimensions: imageBuffer.dimensions,
    extensions: CMFormatDescription.Extensions(imageBuffer))
  return 0
}

/// Returns whether a description has the pixel format, the size, the row length and the colour attachments of an image
/// buffer. An attachment that one of them lacks must be absent in the other.
public func CMVideoFormatDescriptionMatchesImageBuffer(
  _ videoDesc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
  videoDesc.matches(imageBuffer)
    && videoDesc.extensions[.bytesPerRow] == CMFormatDescription.Extensions(imageBuffer)[.bytesPerRow]
}

/// Returns the frame size of a description, in pixels; 0 × 0 for audio.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions
{
  videoDesc.dimensions
}

/// Returns the kind of media of a description: video or audio.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaCode }

/// Returns the pixel format of video or the encoding of audio, a four-character code.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
  desc.subTypeCode
}

extension CMFormatDescription {
  /// Whether a sample of an image may have this description: by the pixel format, the size and the colour attachments.
  func matches(_ imageBuffer: CVImageBuffer) -> Bool {
    mediaCode == kCMMediaType_Video && subTypeCode == CVPixelBufferGetPixelFormatType(imageBuffer)
      && dimensions == imageBuffer.dimensions
      && extensions.colours == Extensions(imageBuffer).colours
  }
}

extension CVBuffer {
  /// The size of the image; Core Video's limit of 16,384 pixels keeps it within 32 bits.
  fileprivate var dimensions: CMVideoDimensions {
    CMVideoDimensions(width: Int32(CVPixelBufferGetWidth(self)), height: Int32(CVPixelBufferGetHeight(self)))
  }
}
