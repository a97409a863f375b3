import EmulatedDevice
import Foundation
import Synchronization

// Models CoreMedia/CMSampleBuffer.h for one video frame (pixels or encoded data). `CMSampleBuffer+Audio.swift` has audio packets.

public struct CMSampleTimingInfo: Sendable {
  public var duration: CMTime
  public var presentationTimeStamp: CMTime
  public var decodeTimeStamp: CMTime

  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

  public static let invalid = CMSampleTimingInfo()
}

/// May be used on any thread. Core Media's class is not marked `Sendable`, so a handler for both platforms sends a
/// buffer to another thread as it does on iOS.
public final class CMSampleBuffer: Sendable {
  let attachments = Mutex<[String: Attachment]>([:])
  /// `nil` if the buffer was invalidated.
  private let state: Mutex<State?>
  private let companions = Mutex(Companions())

  /// Objects whose release notifies the emulated system. This buffer and its copies retain them.
  private struct Companions: Sendable {
    var picture: (any Sendable & AnyObject)?
    var holder: (any Sendable & AnyObject)?
    /// The pixel buffer of a frame also has the mark, because it may be appended without the sample.
    var captureMark: CaptureMark?
  }

  // Unchecked `Sendable`: as in Core Media, the caller synchronizes accesses to the sample attachments.
  struct State: @unchecked Sendable {
    /// `nil` if the data is set later.
    var content: Content?
    var isReady = true
    var formatDescription: CMFormatDescription?
    var sampleCount = 1
    /// Empty, one for all samples, or one for each sample.
    var timings: [CMSampleTimingInfo]
    /// Empty, one for all samples, or one for each sample.
    var sizes: [Int] = []
    /// One dictionary for each sample.
    var sampleAttachments: [NSMutableDictionary]?
  }

  enum Content: Sendable {
    case image(CVImageBuffer), data(CMBlockBuffer)
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

  /// Returns a copy that retains `holder` instead of this buffer's holder. Copies of the copy do the same. For the
  /// emulated system, and for frameworks that keep a buffer internally: they pass `nil`.
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

  /// Retains the owner of the frame's memory until this buffer and its copies are released. For the emulated system.
  package func retain(_ picture: some Sendable & AnyObject) { companions.withLock { $0.picture = picture } }

  /// For the emulated system, and for frameworks that record the sample.
  package var captureMark: CaptureMark? {
    get { imageBuffer?.captureMark.withLock(\.self) ?? companions.withLock(\.captureMark) }
    set {
      companions.withLock { $0.captureMark = newValue }
      imageBuffer?.captureMark.withLock { $0 = newValue }
    }
  }

  /// Retains what another buffer retains.
  func retainCompanions(of other: CMSampleBuffer) {
    let retained = other.companions.withLock(\.self)
    companions.withLock { $0 = retained }
  }

  /// `nil` if the buffer was invalidated.
  var content: State? { state.withLock(\.self) }

  /// Changes the state. If the buffer was invalidated, returns an error.
  func change(_ body: (inout State) -> OSStatus) -> OSStatus {
    state.withLock { state in
      guard var changed = state else { return kCMSampleBufferError_Invalidated }
      defer { state = changed }
      return body(&changed)
    }
  }

  public var formatDescription: CMFormatDescription? { content?.formatDescription }

  public var imageBuffer: CVImageBuffer? {
    guard case .image(let image) = content?.content else { return nil }
    return image
  }

  public var dataBuffer: CMBlockBuffer? {
    guard case .data(let data) = content?.content else { return nil }
    if captureMark != nil { SoundReads.shared(for: .current).count.add(1, ordering: .relaxed) }
    return data
  }

  public var presentationTimeStamp: CMTime {
    content?.timings.map(\.presentationTimeStamp).min() ?? .invalid
  }

  public var duration: CMTime {
    guard let content, let first = content.timings.first else { return .invalid }
    guard content.timings.count > 1 else { return first.duration.multiplied(by: content.sampleCount) }
    return content.timings.dropFirst().reduce(first.duration) { CMTimeAdd($0, $1.duration) }
  }

  public var isValid: Bool { content != nil }
  public var numSamples: Int { content?.sampleCount ?? 0 }

  public func invalidate() throws {
    let wasValid = state.withLock { state in
      defer { state = nil }
      return state != nil
    }
    guard wasValid else { throw NSError(code: kCMSampleBufferError_Invalidated) }
  }
}

public let kCMSampleBufferError_Invalidated: OSStatus = -12744
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743

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

public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the presentation time: the attachments that cut or speed up a sample have no effect here.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.content?.isReady ?? false }

@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  do { try sbuf.invalidate() } catch { return kCMSampleBufferError_Invalidated }
  return 0
}
