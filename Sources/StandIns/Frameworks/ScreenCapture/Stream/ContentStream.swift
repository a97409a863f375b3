import Dispatch

/// The state of a stream, shared by its ``SCStream`` and the emulated system. May be used on any thread.
package final class ContentStream: @unchecked Sendable {
  // Why unchecked: a lock protects the state. Outputs and delegate are not sendable; the system calls each on one queue.

  /// An output of the app. It receives the samples of one kind.
  package final class Output: @unchecked Sendable {
    // Why unchecked: the object is called only on `queue`.
    package let type: SCStreamOutputType
    /// The app's queue, or a queue of the system.
    package let queue: DispatchQueue
    /// Not retained, as on macOS.
    fileprivate weak var owner: AnyObject?
    private let receive: (CMSampleBuffer) -> Void

    init(
      _ type: SCStreamOutputType, on queue: DispatchQueue?, of owner: AnyObject,
      receive: @escaping (CMSampleBuffer) -> Void
    ) {
      self.type = type
      self.owner = owner
      self.receive = receive
      self.queue = queue ?? DispatchQueue(label: "com.apple.ScreenCaptureKit.\(type)")
    }

    /// Calls the receiver. Must be called on ``queue``.
    package func deliver(_ sample: CMSampleBuffer) { receive(sample) }
  }

  /// The size and the audio format, fixed when the stream is created.
  package struct Format: Sendable {
    package let width: Int
    package let height: Int
    /// The audio frames per second and the number of channels; `nil` if the stream has no audio.
    package let audio: (sampleRate: Int, channelCount: Int)?
  }

  private enum Phase { case idle, starting, capturing, stopping }

  private struct State {
    var phase = Phase.idle
    var outputs: [Output] = []
    weak var stream: SCStream?
    weak var delegate: (any SCStreamDelegate)?
  }

  package let format: Format
  package let isMicrophoneEnabled: Bool
  package let style: SCShareableContentStyle
  private let system: any ContentCaptureSystem
  private let lock = NSLock()
  private var state = State()
  private let replies = DispatchQueue(label: "com.apple.ScreenCaptureKit.replies")

  init(_ filter: SCContentFilter, _ configuration: SCStreamConfiguration, _ delegate: (any SCStreamDelegate)?)
  {
    system = filter.system
    (isMicrophoneEnabled, style) = (filter.isMicrophoneEnabled, filter.style)
    let rates = [8_000, 16_000, 24_000, 48_000]
    format = Format(
      width: configuration.width, height: configuration.height,
      audio: !configuration.capturesAudio
        ? nil
        : (
          rates.contains(configuration.sampleRate) ? configuration.sampleRate : 48_000,
          (1...2).contains(configuration.channelCount) ? configuration.channelCount : 2
        ))
    state.delegate = delegate
  }

  func attach(_ stream: SCStream) { lock.withLock { state.stream = stream } }

  var stream: SCStream? { lock.withLock { state.stream } }

  package var isCapturing: Bool { lock.withLock { state.phase == .capturing } }
  /// The outputs whose objects have not been released by the app.
  package var outputs: [Output] { lock.withLock { state.outputs.filter { $0.owner != nil } } }

  func add(_ output: Output) throws(SCStreamError) {
    let isNew = lock.withLock {
      let isNew = !state.outputs.contains { $0.owner === output.owner && $0.type == output.type }
      if isNew { state.outputs.append(output) }
      return isNew
    }
    if !isNew { throw SCStreamError(.invalidParameter, "The output was added already.") }
  }

  func remove(of owner: AnyObject, _ type: SCStreamOutputType) throws(SCStreamError) {
    let isRemoved = lock.withLock {
      let count = state.outputs.count
      state.outputs.removeAll { $0.owner === owner && $0.type == type }
      return state.outputs.count < count
    }
    if !isRemoved { throw SCStreamError(.invalidParameter, "The output was not added.") }
  }

  func start(_ completion: @escaping @Sendable (SCStreamError?) -> Void) {
    let isIdle = lock.withLock {
      defer { if state.phase == .idle { state.phase = .starting } }
      return state.phase == .idle
    }
    guard isIdle else {
      return completion(SCStreamError(.attemptToStartStreamState, "The stream runs already."))
    }
    system.onMain { [self] system in
      system.start(self) { [self] error in
        lock.withLock { if state.phase == .starting { state.phase = error == nil ? .capturing : .idle } }
        reply { completion(error) }
      }
    }
  }

  func stop(_ completion: @escaping @Sendable (SCStreamError?) -> Void) {
    let isCapturing = lock.withLock {
      defer { if state.phase == .capturing { state.phase = .stopping } }
      return state.phase == .capturing
    }
    guard isCapturing else {
      return completion(SCStreamError(.attemptToStopStreamState, "The stream does not run."))
    }
    system.onMain { [self] system in
      system.stop(self) { [self] in
        lock.withLock { state.phase = .idle }
        reply { completion(nil) }
      }
    }
  }

  /// Ends the stream on behalf of the system, which delivers no further samples. Returns whether the app has a delegate that is
  /// notified.
  @MainActor
  package func end(with error: SCStreamError) -> Bool {
    let (wasCapturing, isHeard) = lock.withLock {
      defer { state.phase = .idle }
      return (state.phase == .capturing, state.delegate != nil)
    }
    if wasCapturing { notify { $0.stream($1, didStopWithError: error) } }
    return isHeard
  }

  /// Notifies the delegate that frames are delivered again, or are not delivered for a time.
  package func become(active isActive: Bool) {
    notify { isActive ? $0.streamDidBecomeActive($1) : $0.streamDidBecomeInactive($1) }
  }

  private func reply(_ body: @escaping @Sendable () -> Void) { system.run(on: replies, body) }

  private func notify(_ body: @escaping @Sendable (any SCStreamDelegate, SCStream) -> Void) {
    reply { [self] in
      let (delegate, stream) = lock.withLock { (state.delegate, state.stream) }
      if let delegate, let stream { body(delegate, stream) }
    }
  }
}
