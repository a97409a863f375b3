import Foundation
import Synchronization

/// One sample of media with its time and its attachments: here a picture of the screen.
///
/// Usable from any thread. Core Media's own class is not marked `Sendable`: code that is to compile against
/// both hands a buffer to another thread the way it would on iOS.
public final class CMSampleBuffer: Sendable {
  let formatDescription: CMFormatDescription
  let timing: CMSampleTimingInfo
  let attachments = Mutex<[String: Attachment]>([:])
  private let image: Mutex<CVImageBuffer?>

  init(image: CVImageBuffer, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo) {
    self.image = Mutex(image)
    self.formatDescription = formatDescription
    self.timing = timing
  }

  /// The picture; `nil` once the buffer was made invalid.
  public var imageBuffer: CVImageBuffer? { image.withLock { $0 } }

  /// When the picture is shown.
  public var presentationTimeStamp: CMTime { timing.presentationTimeStamp }

  /// Whether the buffer was not made invalid yet.
  public var isValid: Bool { imageBuffer != nil }

  /// The number of samples: 1, as a buffer holds one picture.
  public var numSamples: Int { 1 }

  func invalidate() { image.withLock { $0 = nil } }

  struct Attachment: Sendable {
    var value: NSNumber
    var mode: CMAttachmentMode
  }
}

/// The sample buffer was made invalid before.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The format description does not fit the picture.
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
    image: imageBuffer, formatDescription: formatDescription, timing: sampleTiming.pointee)
  return 0
}

/// The picture of a sample; `nil` once the sample was made invalid.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// When a sample is shown.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// How long a sample lasts; invalid when its maker did not say.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.timing.duration }

/// The description of a sample's picture.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// The number of samples in a buffer: 1.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }

/// Whether a sample was not made invalid yet.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Whether a sample's data is there: always, as the samples here are created ready.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Makes a sample invalid: it lets go of its picture.
/// - Returns: 0, or `kCMSampleBufferError_Invalidated` when it was invalid already.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  sbuf.invalidate()
  return 0
}
