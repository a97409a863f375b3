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

/// Samples of video or audio with their times and their attachments: a frame as pixels, or data in a block buffer. Usable
/// from any thread.
///
/// Core Media's class is not marked `Sendable`: a handler for both sends a buffer to another thread as it does on iOS.
public final class CMSampleBuffer: Sendable {
  let attachments = Mutex<[String: Attachment]>([:])
  /// `nil` when the buffer has been invalidated.
  private let state: Mutex<State?>
  private let companions = Mutex(Companions())

  /// What the emulated system hears the release of: this buffer and its copies retain it.
  private struct Companions: Sendable {
    var picture: (any Sendable & AnyObject)?
    var holder: (any Sendable & AnyObject)?
  }

  // Unchecked `Sendable`: the sample attachments are the caller's to order, as in Core Media.
  struct State: @unchecked Sendable {
    /// `nil` when the data comes later.
    var content: Content?
    var isReady = true
    var formatDescription: CMFormatDescription?
    var sampleCount = 1
    /// None, one for all samples, or one for each.
    var timings: [CMSampleTimingInfo]
    /// None, one for all samples, or one for each.
    var sizes: [Int] = []
    /// One dictionary for each sample.
    var sampleAttachments: [NSMutableDictionary]?
  }

  enum Content: Sendable {
    case image(CVImageBuffer)
    case data(CMBlockBuffer)
  }

  struct Attachment: Sendable {
    var value: NSNumber
    var mode: CMAttachmentMode
  }

  init(_ state: State) { self.state = Mutex(state) }

  deinit {
    // The image is released before the object.
    state.withLock { $0 = nil }
  }

  /// This buffer as another object, which retains `holder` instead of the holder of this one, as do its copies. For the
  /// emulated system, and for frameworks that keep a buffer for themselves: they pass `nil`.
  package func handed(to holder: (any Sendable & AnyObject)?) -> CMSampleBuffer {
    CMSampleBuffer(self, holder: holder)
  }

  private init(_ original: CMSampleBuffer, holder: (any Sendable & AnyObject)?) {
    state = Mutex(original.content)
    let attached = original.attachments.withLock(\.self)
    attachments.withLock { $0 = attached }
    retainCompanions(of: original)
    companions.withLock { $0.holder = holder }
  }

  /// Retains the owner of the picture as long as this buffer and its copies exist. For the emulated system.
  package func retain(_ picture: some Sendable & AnyObject) { companions.withLock { $0.picture = picture } }

  /// Retains what another buffer retains.
  func retainCompanions(of other: CMSampleBuffer) {
    let retained = other.companions.withLock(\.self)
    companions.withLock { $0 = retained }
  }

  /// `nil` when the buffer has been invalidated.
  var content: State? { state.withLock(\.self) }

  /// Changes the state unless the buffer has been invalidated, which is an error.
  func change(_ body: (inout State) -> OSStatus) -> OSStatus {
    state.withLock { state in
      guard var changed = state else { return kCMSampleBufferError_Invalidated }
      defer { state = changed }
      return body(&changed)
    }
  }

  /// The format of the samples; `nil` without one and for an invalidated buffer.
  public var formatDescription: CMFormatDescription? { content?.formatDescription }

  /// The image of video; `nil` for encoded video, audio, and an invalidated buffer.
  public var imageBuffer: CVImageBuffer? {
    guard case .image(let image) = content?.content else { return nil }
    return image
  }

  /// The bytes of audio or of encoded video; `nil` for an image, without bytes, and for an invalidated buffer.
  public var dataBuffer: CMBlockBuffer? {
    guard case .data(let data) = content?.content else { return nil }
    return data
  }

  /// The earliest time of the samples; invalid without one and for an invalidated buffer.
  public var presentationTimeStamp: CMTime {
    content?.timings.map(\.presentationTimeStamp).min() ?? .invalid
  }

  /// The duration of all samples; infinite when it does not fit a time, invalid without one and for an invalidated buffer.
  public var duration: CMTime {
    guard let content, let first = content.timings.first else { return .invalid }
    guard content.timings.count > 1 else { return first.duration.multiplied(by: content.sampleCount) }
    return content.timings.dropFirst().reduce(first.duration) { CMTimeAdd($0, $1.duration) }
  }

  /// Whether the buffer has not been invalidated.
  public var isValid: Bool { content != nil }

  /// The number of samples: one for video, the audio frames of a packet, zero for an invalidated buffer.
  public var numSamples: Int { content?.sampleCount ?? 0 }

  /// Releases the image or the bytes. Throws when the buffer has been invalidated before.
  public func invalidate() throws {
    let wasValid = state.withLock { state in
      defer { state = nil }
      return state != nil
    }
    guard wasValid else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_Invalidated))
    }
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
  guard formatDescription.matches(imageBuffer) else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  // UNSAFE: the caller's parameters, valid for the call.
  unsafe sampleBufferOut.pointee = CMSampleBuffer(
    CMSampleBuffer.State(
      content: .image(imageBuffer), formatDescription: formatDescription, timings: [sampleTiming.pointee]))
  return 0
}

/// Returns the image of video, or `nil` for encoded video, audio, and an invalidated buffer.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Returns the earliest time of the samples; invalid for an invalidated buffer.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the duration of all samples; invalid when the creator gave none, and for an invalidated buffer.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Returns the format of the samples; `nil` for an invalidated buffer.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// Returns the number of samples: one for video, the audio frames of a packet.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }

/// Returns whether a buffer has not been invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Returns whether the data is available.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.content?.isReady ?? false }

/// Invalidates a buffer, which releases its image or its bytes.
/// - Returns: zero, or `kCMSampleBufferError_Invalidated` the second time.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  do { try sbuf.invalidate() } catch { return kCMSampleBufferError_Invalidated }
  return 0
}
