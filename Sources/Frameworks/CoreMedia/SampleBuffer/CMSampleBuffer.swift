import Foundation
import Synchronization

/// Samples of media with their time and their attachments: here a picture of the screen, or a packet of sound.
///
/// Usable from any thread. Core Media's own class is not marked `Sendable`: code that is to compile against
/// both hands a buffer to another thread the way it would on iOS.
public final class CMSampleBuffer: Sendable {
  let formatDescription: CMFormatDescription
  let timing: CMSampleTimingInfo
  let attachments = Mutex<[String: Attachment]>([:])
  private let content: Mutex<Content?>

  init(content: Content, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo) {
    self.content = Mutex(content)
    self.formatDescription = formatDescription
    self.timing = timing
  }

  /// The picture; `nil` when it is sound, and once the buffer was made invalid.
  public var imageBuffer: CVImageBuffer? {
    guard case .picture(let image) = content.withLock({ $0 }) else { return nil }
    return image
  }

  /// The bytes of sound; `nil` when it is a picture, and once the buffer was made invalid.
  public var dataBuffer: CMBlockBuffer? {
    guard case .sound(let data, _) = content.withLock({ $0 }) else { return nil }
    return data
  }

  /// When the picture is shown, or the first frame of sound is heard.
  public var presentationTimeStamp: CMTime { timing.presentationTimeStamp }

  /// How long all samples last; invalid when their maker did not say.
  public var duration: CMTime {
    CMTime(
      value: timing.duration.value * CMTimeValue(max(numSamples, 1)), timescale: timing.duration.timescale,
      flags: timing.duration.flags, epoch: timing.duration.epoch)
  }

  /// Whether the buffer was not made invalid yet.
  public var isValid: Bool { content.withLock { $0 != nil } }

  /// The number of samples: 1 of a picture, the number of frames of sound, 0 once the buffer was made invalid.
  public var numSamples: Int {
    switch content.withLock({ $0 }) {
    case .picture: 1
    case .sound(_, let frames): frames
    case nil: 0
    }
  }

  func invalidate() { content.withLock { $0 = nil } }

  enum Content: Sendable {
    case picture(CVImageBuffer)
    case sound(CMBlockBuffer, frames: Int)
  }

  struct Attachment: Sendable {
    var value: NSNumber
    var mode: CMAttachmentMode
  }
}

/// The sample buffer was made invalid before.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The format description does not fit the picture, or is not of linear PCM.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743

/// Creates a sample buffer of one picture, ready to be read.
///
/// `sampleTiming` gives the one picture's times. Nothing is copied: the sample holds the picture itself.
/// - Returns: 0, or `kCMSampleBufferError_InvalidMediaFormat` when the description does not fit the picture.
public func CMSampleBufferCreateReadyWithImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
  sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard CMVideoFormatDescriptionMatchesImageBuffer(formatDescription, imageBuffer: imageBuffer) else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  // UNSAFE: the caller's parameters, valid for the call.
  unsafe sampleBufferOut.pointee = CMSampleBuffer(
    content: .picture(imageBuffer), formatDescription: formatDescription, timing: sampleTiming.pointee)
  return 0
}

/// The picture of a sample; `nil` when it is sound, and once the sample was made invalid.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// When a sample is shown.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// How long all samples in a buffer last; invalid when their maker did not say.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// The description of a sample's picture or sound.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// The number of samples in a buffer: 1 of a picture, the number of frames of sound.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }

/// Whether a sample was not made invalid yet.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Whether a sample's data is there: always, as the samples here are created ready.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Makes a sample invalid: it lets go of its picture or its sound.
/// - Returns: 0, or `kCMSampleBufferError_Invalidated` when it was invalid already.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  sbuf.invalidate()
  return 0
}
