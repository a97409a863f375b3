import Foundation
import Synchronization

// Models CoreMedia/CMSampleBuffer.h for one video frame, as pixels or encoded,
// and, in `CMSampleBuffer+Audio.swift`, for a packet of audio.

/// The times of a sample.
public struct CMSampleTimingInfo: Sendable {
  /// The duration of the sample.
  public var duration: CMTime
  /// The time at which the sample is shown.
  public var presentationTimeStamp: CMTime
  /// The time at which the sample is decoded; invalid when samples are decoded in presentation order.
  public var decodeTimeStamp: CMTime

  /// Creates a timing from its three times.
  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  /// Creates a timing of three invalid times.
  public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

  /// A timing of three invalid times.
  public static let invalid = CMSampleTimingInfo()
}

/// A frame of video or a packet of audio with its time and its attachments. Usable from any thread.
///
/// Core Media's class is not marked `Sendable`: a handler for both sends a buffer to another thread as it does on iOS.
public final class CMSampleBuffer: Sendable {
  /// The format of the samples.
  public let formatDescription: CMFormatDescription?
  let timing: CMSampleTimingInfo
  let attachments = Mutex<[String: Attachment]>([:])
  /// Properties of the sample itself, by their keys.
  let sampleAttachments: [String: Bool]
  private let content: Mutex<Content?>
  private let companion = Mutex<(any Sendable & AnyObject)?>(nil)

  init(
    content: Content, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo,
    sampleAttachments: [String: Bool] = [:]
  ) {
    self.content = Mutex(content)
    self.formatDescription = formatDescription
    self.timing = timing
    self.sampleAttachments = sampleAttachments
  }

  /// Retains an object as long as this buffer and its copies exist. For the emulated system.
  package func retain(_ object: some Sendable & AnyObject) { companion.withLock { $0 = object } }

  deinit {
    // The image is released before the object.
    content.withLock { $0 = nil }
  }

  /// The image of video; `nil` for encoded video, audio, and an invalidated buffer.
  public var imageBuffer: CVImageBuffer? {
    guard case .video(let image) = content.withLock({ $0 }) else { return nil }
    return image
  }

  /// The bytes of audio or of encoded video; `nil` for an image and for an invalidated buffer.
  public var dataBuffer: CMBlockBuffer? {
    guard case .data(let data, _) = content.withLock({ $0 }) else { return nil }
    return data
  }

  /// The time of the frame, or of the first audio frame.
  public var presentationTimeStamp: CMTime { timing.presentationTimeStamp }

  /// The duration of all samples; infinite when it does not fit a time, invalid when the creator gave none.
  public var duration: CMTime { timing.duration.multiplied(by: max(numSamples, 1)) }

  /// Whether the buffer has not been invalidated.
  public var isValid: Bool { content.withLock { $0 != nil } }

  /// The number of samples: one for video, the audio frames of a packet, zero for an invalidated buffer.
  public var numSamples: Int {
    switch content.withLock({ $0 }) {
    case .video: 1
    case .data(_, let samples): samples
    case nil: 0
    }
  }

  /// Releases the image or the bytes. Throws when the buffer has been invalidated before.
  public func invalidate() throws {
    let wasValid = content.withLock { content in
      defer { content = nil }
      return content != nil
    }
    guard wasValid else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_Invalidated))
    }
  }

  /// Returns a buffer with the same samples, the attachments that propagate, and other times if there are any; `nil` when
  /// this one has been invalidated.
  func copy(with timing: CMSampleTimingInfo?) -> CMSampleBuffer? {
    guard let content = content.withLock(\.self), let formatDescription else { return nil }
    let copy = CMSampleBuffer(
      content: content, formatDescription: formatDescription, timing: timing ?? self.timing,
      sampleAttachments: sampleAttachments)
    let attachments = attachments.withLock(\.self).filter {
      $0.value.mode == kCMAttachmentMode_ShouldPropagate
    }
    copy.attachments.withLock { $0 = attachments }
    let companion = companion.withLock(\.self)
    copy.companion.withLock { $0 = companion }
    return copy
  }

  enum Content: Sendable {
    case video(CVImageBuffer)
    case data(CMBlockBuffer, samples: Int)
  }

  struct Attachment: Sendable {
    var value: NSNumber
    var mode: CMAttachmentMode
  }
}

/// The sample buffer has been invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The format description does not match the image, or is not of linear PCM.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743

/// Creates a sample buffer of one video frame, whose image is retained and not copied.
/// - Returns: zero, or `kCMSampleBufferError_InvalidMediaFormat` when the description does not match the image.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
  sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard CMVideoFormatDescriptionMatchesImageBuffer(formatDescription, imageBuffer: imageBuffer) else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  // UNSAFE: the caller's parameters, valid for the call.
  unsafe sampleBufferOut.pointee = CMSampleBuffer(
    content: .video(imageBuffer), formatDescription: formatDescription, timing: sampleTiming.pointee)
  return 0
}

/// Returns the image of video, or `nil` for encoded video, audio, and an invalidated buffer.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Returns the time of the frame, or of the first audio frame.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the duration of all samples; invalid when the creator gave none.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Returns the format of the samples.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// Returns the number of samples: one for video, the audio frames of a packet.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }

/// Returns whether a buffer has not been invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Returns whether the data is available: true until the buffer is invalidated, as buffers are created ready.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Invalidates a buffer, which releases its image or its bytes.
/// - Returns: zero, or `kCMSampleBufferError_Invalidated` the second time.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  do { try sbuf.invalidate() } catch { return kCMSampleBufferError_Invalidated }
  return 0
}
