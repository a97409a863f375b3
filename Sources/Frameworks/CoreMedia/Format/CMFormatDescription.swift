/// A four-character code.
public typealias FourCharCode = UInt32
/// What kind of media a description is of, a four-character code.
public typealias CMMediaType = FourCharCode
/// The type of a video sample's data: a codec, or the pixel format of a picture that is not compressed.
public typealias CMVideoCodecType = FourCharCode

/// The media type of video ("vide").
public let kCMMediaType_Video: CMMediaType = 0x7669_6465

/// A description of media: here of pictures that are not compressed, or of sound.
public final class CMFormatDescription: Sendable {
  let mediaType: CMMediaType
  let mediaSubType: FourCharCode
  /// The size of pictures; 0 × 0 of sound.
  let dimensions: CMVideoDimensions
  /// What describes sound; `nil` of pictures.
  let sound: AudioFormatStorage?

  init(mediaSubType: FourCharCode, dimensions: CMVideoDimensions) {
    mediaType = kCMMediaType_Video
    self.mediaSubType = mediaSubType
    self.dimensions = dimensions
    sound = nil
  }

  init(sound: AudioFormatStorage) {
    mediaType = kCMMediaType_Audio
    // UNSAFE: memory that the storage owns.
    mediaSubType = unsafe sound.stream.pointee.mFormatID
    dimensions = CMVideoDimensions()
    self.sound = sound
  }
}

/// A description of video.
public typealias CMVideoFormatDescription = CMFormatDescription

/// Creates the description of one picture: its pixel format and its size.
/// - Returns: 0.
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe formatDescriptionOut.pointee = CMFormatDescription(
    mediaSubType: CVPixelBufferGetPixelFormatType(imageBuffer), dimensions: imageBuffer.dimensions)
  return 0
}

/// Whether a description fits a picture: same pixel format, same size.
public func CMVideoFormatDescriptionMatchesImageBuffer(
  _ videoDesc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
  videoDesc.mediaType == kCMMediaType_Video
    && videoDesc.mediaSubType == CVPixelBufferGetPixelFormatType(imageBuffer)
    && videoDesc.dimensions == imageBuffer.dimensions
}

/// The size a description gives, in pixels; 0 × 0 when it is not of pictures.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions
{
  videoDesc.dimensions
}

/// The kind of media a description is of: video or audio.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaType }

/// The pixel format a description gives, or the encoding of sound; a four-character code.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
  desc.mediaSubType
}

extension CVBuffer {
  /// The size of the picture; Core Video's limit of 16,384 pixels keeps it within 32 bits.
  fileprivate var dimensions: CMVideoDimensions {
    CMVideoDimensions(width: Int32(CVPixelBufferGetWidth(self)), height: Int32(CVPixelBufferGetHeight(self)))
  }
}
