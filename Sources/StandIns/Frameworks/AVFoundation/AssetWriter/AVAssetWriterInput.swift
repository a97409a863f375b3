import Foundation
import Synchronization
import VideoToolbox

/// May be used on any thread, but only one thread may append at a time.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; its properties are constant, or protected by the mutex.

  public let mediaType: AVMediaType
  /// `nil` for audio that is written unchanged. The stand-in does not write video that is already encoded.
  public let outputSettings: [String: Any]?
  public let sourceFormatHint: CMFormatDescription?
  /// Encodes the samples in their order.
  private let queue = DispatchQueue(label: "AVAssetWriterInput", qos: .userInitiated)
  private let feed: Mutex<TrackFeed>
  private let state: Mutex<State>
  private let changed = NSCondition()

  private struct State: Sendable {
    weak var writer: AVAssetWriter?
    var isFinished = false
    var waiting = 0
    var hasBeenEarly = false
    var isRealTime = false
    var transform = CGAffineTransform.identity
    var timeScale: CMTimeScale = 0
    var request: Request?
    var recorded: AVAssetWriterRecord.Track
  }

  private struct Request: Sendable {
    let queue: DispatchQueue
    let block: @Sendable () -> Void
  }

  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?
  ) {
    self.mediaType = mediaType
    self.outputSettings = outputSettings
    self.sourceFormatHint = sourceFormatHint
    if let reason = TrackSettings.mistake(in: outputSettings, mediaType, hasHint: sourceFormatHint != nil) {
      fatalError(
        "NSInvalidArgumentException: *** -[AVAssetWriterInput initWithMediaType:outputSettings:] \(reason)")
    }
    feed = Mutex(TrackFeed(mediaType, outputSettings))
    state = Mutex(
      State(recorded: .init(mediaType == .video ? .video : mediaType == .audio ? .audio : .other)))
  }

  public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
    self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
  }

  /// Without effect: the encoder always runs in parallel with the capture.
  open var expectsMediaDataInRealTime: Bool {
    get { state.withLock(\.isRealTime) }
    set { state.withLock { $0.isRealTime = newValue } }
  }
  open var transform: CGAffineTransform {
    get { state.withLock(\.transform) }
    set { state.withLock { $0.transform = newValue } }
  }
  /// Without effect.
  open var mediaTimeScale: CMTimeScale {
    get { state.withLock(\.timeScale) }
    set { state.withLock { $0.timeScale = newValue } }
  }

  /// How many samples may wait for the encoder. (The system has seven pixel buffers.)
  private var limit: Int { mediaType == .video ? 2 : 32 }

  open var isReadyForMoreMediaData: Bool {
    let (isOpen, writer) = state.withLock { (!$0.isFinished && $0.waiting < limit, $0.writer) }
    return isOpen && writer?.status == .writing
  }

  /// While the input is not ready, a device raises an exception. Here the call waits, and the producer counts it as
  /// misuse, because the speed of the encoder depends on the host. Code that checks ``isReadyForMoreMediaData`` is
  /// correct at any speed.
  @discardableResult
  open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    guard let description = sampleBuffer.formatDescription,
      CMFormatDescriptionGetMediaType(description)
        == (mediaType == .video ? kCMMediaType_Video : kCMMediaType_Audio)
    else {
      raise(
        "appendSampleBuffer:",
        "Cannot append sample buffer: Input buffer must be of media type \(mediaType.rawValue)",
        class: "AVAssetWriterInput")
    }
    // The copy has no holder, because the caller is not responsible for a sample that the writer holds until it is encoded.
    let sample = sampleBuffer.handed(to: nil)
    return append(
      "appendSampleBuffer:", at: sample.presentationTimeStamp, lasting: sample.duration,
      sampleBuffer.captureMark
    ) { feed, time, program in try feed.append(sample, at: time, by: program) }
  }

  /// Appends a sample by calling `send` on the queue of the input.
  func append(
    _ method: String, at time: CMTime, lasting duration: CMTime, _ mark: CaptureMark?,
    _ send: @escaping @Sendable (inout TrackFeed, CMTime, EncoderProgram) throws -> Void
  ) -> Bool {
    guard let writer = state.withLock(\.writer) else {
      raise(
        method, "Cannot append sample buffer: Input is not attached to an asset writer",
        class: "AVAssetWriterInput")
    }
    guard let (session, program) = writer.session(for: method), !state.withLock(\.isFinished) else {
      return false
    }
    guard time.isNumeric else {
      return writer.fail(
        AVError(.unknown, "a sample has no time", underlying: AVAssetWriterRecord.wrongTimes))
    }
    waitUntilReady()
    guard writer.status == .writing else { return false }
    state.withLock { state in
      state.waiting += 1
      if state.waiting >= limit { state.recorded.setReady(false) }
      guard time >= session.start, time < session.end else { return }
      state.recorded.add(at: time.seconds, lasting: duration.seconds, mark)
    }
    queue.async { [self] in
      defer { finishOne() }
      guard writer.status == .writing, time >= session.start, time < session.end else { return }
      do { try feed.withLock { try send(&$0, time - session.start, program) } } catch {
        writer.fail(error as? AVError ?? AVError(.encodeFailed, "\(error)"))
      }
    }
    return true
  }

  private func waitUntilReady() {
    let (isEarly, isFirst) = state.withLock { state in
      let isEarly = state.waiting >= limit
      defer { state.hasBeenEarly = isEarly || state.hasBeenEarly }
      return (isEarly, isEarly && !state.hasBeenEarly)
    }
    guard isEarly else { return }
    AVAssetWriterRecord.tell(.earlyAppend)
    if isFirst {
      NSLog(
        "%@",
        "AVAssetWriterInput: a sample was appended while isReadyForMoreMediaData is false. This raises an exception on a "
          + "device; the call waits here")
    }
    changed.withLock { while state.withLock({ $0.waiting >= limit }) { changed.wait() } }
  }

  private func finishOne() {
    changed.withLock {
      state.withLock { state in
        state.waiting -= 1
        if state.waiting < limit { state.recorded.setReady(true) }
      }
      changed.broadcast()
    }
    callRequest()
  }

  open func markAsFinished() {
    let status = state.withLock(\.writer)?.status ?? .unknown
    if status == .unknown || status == .completed {
      raise(
        "markAsFinished", "Cannot call method when status is \(status.rawValue)", class: "AVAssetWriterInput")
    }
    state.withLock { state in
      (state.isFinished, state.request) = (true, nil)
      state.recorded.finishCall = state.recorded.finishCall ?? AVAssetWriterRecord.Track.now
    }
  }

  open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
    state.withLock { $0.request = Request(queue: queue, block: block) }
    callRequest()
  }

  func callRequest() {
    guard isReadyForMoreMediaData, let request = state.withLock(\.request) else { return }
    request.queue.async { [self] in if isReadyForMoreMediaData { request.block() } }
  }

  func attach(_ writer: AVAssetWriter) { state.withLock { $0.writer = writer } }

  var isWriting: Bool { state.withLock(\.writer)?.status == .writing }

  var recorded: AVAssetWriterRecord.Track { state.withLock(\.recorded) }

  /// Finishes the encoding, on the queue of the input.
  func end(in group: DispatchGroup) {
    state.withLock { ($0.isFinished, $0.request) = (true, nil) }
    queue.async(group: group) { [self] in
      let writer = state.withLock(\.writer)
      do { try feed.withLock { try $0.end() } } catch {
        writer?.fail(AVError(.encodeFailed, "\(error)"))
      }
    }
  }

  func cancel() { queue.async { [self] in feed.withLock { $0.cancel() } } }

  /// The encoded track; `nil` if no sample was appended.
  var track: MovieFile.Track? {
    let transform = transform
    return feed.withLock { $0.track(transform) }
  }
}
