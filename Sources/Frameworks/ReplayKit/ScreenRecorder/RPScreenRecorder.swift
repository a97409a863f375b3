import Dispatch

/// The recorder of the app's own screen, in the app's own process. Models `ReplayKit/RPScreenRecorder.h`.
///
/// ```swift
/// RPScreenRecorder.shared().startCapture { sampleBuffer, type, error in
///   guard error == nil, type == .video else { return }
///   send(sampleBuffer)
/// } completionHandler: { error in
///   if let error { show(error) }
/// }
/// ```
/// One capture runs at a time. A sample keeps its picture as long as it is held.
/// The handler of samples is called on a private queue of the system; completion handlers and the delegate are called on
/// the main queue. No handler is called before the call that takes it has returned.
///
/// Why unchecked: a lock protects the state. Handlers and delegate are not sendable, and one thread at a time calls them.
public final class RPScreenRecorder: NSObject, @unchecked Sendable {
  private typealias CaptureHandler = (CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void

  private enum Phase { case idle, starting, recording, stopping }

  private struct State {
    var phase = Phase.idle
    var handler: CaptureHandler?
    var isMicrophoneEnabled = false
    var isAvailable = false
    weak var system: (any ScreenCaptureSystem)?
    weak var delegate: (any RPScreenRecorderDelegate)?

    /// Ends the capture and returns the app's handler. The caller releases it outside of the lock: the objects that it
    /// captures may call the recorder when they are released.
    mutating func end() -> CaptureHandler? {
      phase = .idle
      return handler.take()
    }
  }

  /// Carries a value that is not sendable to the one thread that uses it.
  private struct Boxed<Value>: @unchecked Sendable {
    let value: Value
  }

  private let lock = NSLock()
  private var state = State()

  private static let sharedRecorder = RPScreenRecorder(for: ())

  /// The app's one recorder.
  public class func shared() -> RPScreenRecorder { sharedRecorder }

  /// Creates a recorder without a system; apps use ``shared()``.
  package init(for _: Void) { super.init() }

  /// The delegate; not retained.
  public weak var delegate: (any RPScreenRecorderDelegate)? {
    get { lock.withLock { state.delegate } }
    set { lock.withLock { state.delegate = newValue } }
  }

  /// Whether a capture can start: the device can record, recording is enabled, and no other app records.
  public var isAvailable: Bool { lock.withLock { state.isAvailable } }

  /// Whether a capture runs.
  public var isRecording: Bool { lock.withLock { state.phase == .recording } }

  /// Whether the next capture includes the microphone.
  public var isMicrophoneEnabled: Bool {
    get { lock.withLock { state.isMicrophoneEnabled } }
    set { lock.withLock { state.isMicrophoneEnabled = newValue } }
  }

  /// Starts a capture; the system may ask the person first.
  ///
  /// - Parameters:
  ///   - captureHandler: receives the samples, and an error with an invalidated sample when the system ends the capture.
  ///   - completionHandler: called once, with an error when the capture does not start. Errors are in
  ///     `RPRecordingErrorDomain`: `userDeclined`, `disabled`, `activePhoneCall`, `failedToStart`, and
  ///     `attemptToStartInRecordingState` during a capture.
  public func startCapture(
    handler captureHandler: ((CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void)?,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let (isFirst, isMicrophoneEnabled) = lock.withLock {
      guard state.phase == .idle else { return (false, false) }
      state.phase = .starting
      state.handler = captureHandler
      return (true, state.isMicrophoneEnabled)
    }
    onMain { [self] in
      guard isFirst else {
        completionHandler?(Self.error(.attemptToStartInRecordingState, "A capture is running already."))
        return
      }
      guard let system = lock.withLock({ state.system }) else {
        hasStarted(Self.error(.failedToStart, "There is no screen to capture."), completionHandler)
        return
      }
      system.startCapture(for: self, isMicrophoneEnabled: isMicrophoneEnabled) { [self] error in
        hasStarted(error, completionHandler)
      }
    }
  }

  /// Starts a capture; returns when it runs, and throws the error of its completion handler.
  public nonisolated(nonsending) func startCapture(
    handler captureHandler: ((CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void)?
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      startCapture(handler: captureHandler) { error in continuation.resume(with: Self.result(error)) }
    }
  }

  /// Stops the capture. No sample follows the call of `handler`, which gets the error `attemptToStopNonRecording` without
  /// a capture.
  public func stopCapture(handler: (((any Error)?) -> Void)? = nil) {
    let handler = Boxed(value: handler)
    let isRecording = lock.withLock {
      guard state.phase == .recording else { return false }
      state.phase = .stopping
      return true
    }
    onMain { [self] in
      guard isRecording else {
        handler.value?(Self.error(.attemptToStopNonRecording, "No capture is running."))
        return
      }
      let (isStopping, system) = lock.withLock { (state.phase == .stopping, state.system) }
      // An interruption may have ended the capture first, and the app may have started another one since.
      guard isStopping, let system else {
        hasStopped()
        handler.value?(nil)
        return
      }
      system.stopCapture { [self] error in
        hasStopped()
        handler.value?(error)
      }
    }
  }

  /// Stops the capture; returns when it has ended.
  public nonisolated(nonsending) func stopCapture() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      stopCapture { error in continuation.resume(with: Self.result(error)) }
    }
  }

  /// Attaches the emulated system, which is not retained; `nil` detaches it.
  @MainActor
  package func attach(_ system: (any ScreenCaptureSystem)?, isAvailable: Bool) {
    lock.withLock { state.system = system }
    setAvailable(isAvailable)
  }

  /// Sets ``isAvailable`` and notifies the delegate of a change.
  @MainActor
  package func setAvailable(_ isAvailable: Bool) {
    let isChange = lock.withLock {
      defer { state.isAvailable = isAvailable }
      return state.isAvailable != isAvailable
    }
    if isChange { delegate?.screenRecorderDidChangeAvailability(self) }
  }

  /// Calls the app's handler with a sample, on the thread of the caller.
  package func deliver(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) {
    lock.withLock { state.phase == .recording ? state.handler : nil }?(sample, type, nil)
  }

  /// Ends the capture for the system. The delegate is called now; the app's handler gets `error`, with an
  /// invalidated sample, on the thread on which `call` calls its parameter.
  @MainActor
  package func interrupt(
    _ error: any Error, lastSample: CMSampleBuffer?,
    call: (@escaping @Sendable () -> Void) -> Void = { $0() }
  ) {
    let (isRunning, handler) = lock.withLock { (state.phase != .idle, Boxed(value: state.end())) }
    guard isRunning else { return }
    if let lastSample {
      call {
        CMSampleBufferInvalidate(lastSample)
        handler.value?(lastSample, .video, error)
      }
    }
    delegate?.screenRecorder(self, didStopRecordingWith: nil, error: error)
  }

  /// Returns an error of the recorder's domain.
  package static func error(
    _ code: RPRecordingErrorCode, _ text: String, cause: (any Error)? = nil
  ) -> NSError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: text]
    info[NSUnderlyingErrorKey] = cause
    return NSError(domain: RPRecordingErrorDomain, code: code.rawValue, userInfo: info)
  }

  @MainActor
  private func hasStarted(_ error: (any Error)?, _ completion: (@Sendable ((any Error)?) -> Void)?) {
    let refused = lock.withLock { () -> CaptureHandler? in
      guard state.phase == .starting else { return nil }
      guard error == nil else { return state.end() }
      state.phase = .recording
      return nil
    }
    withExtendedLifetime(refused) { completion?(error) }
  }

  @MainActor
  private func hasStopped() {
    _ = lock.withLock { state.phase == .stopping ? state.end() : nil }
  }

  private func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
  }

  private static func result(_ error: (any Error)?) -> Result<Void, any Error> {
    error.map { .failure($0) } ?? .success(())
  }
}

/// An object that the recorder notifies of changes, on the main queue. Models `RPScreenRecorder.h`.
public protocol RPScreenRecorderDelegate: NSObjectProtocol {
  /// ``RPScreenRecorder/isAvailable`` changed.
  func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder)

  /// The system ended the capture, which has no preview.
  func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?)
}

// In Objective-C these methods are optional.
extension RPScreenRecorderDelegate {
  /// Does nothing.
  public func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder) {}

  /// Does nothing.
  public func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {}
}

/// The preview of a recording. A capture has none, so it is never created.
public final class RPPreviewViewController: NSObject {
  private override init() { super.init() }
}

/// The emulated system behind the recorder.
///
/// The recorder keeps the order: no start during a capture, no stop without one.
@MainActor
package protocol ScreenCaptureSystem: AnyObject, Sendable {
  /// Starts a capture, whose samples go to `recorder`. `completion` is called once, with an error in
  /// `RPRecordingErrorDomain` when the capture does not start.
  func startCapture(
    for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
    completion: @escaping @MainActor ((any Error)?) -> Void)

  /// Stops the capture: no sample follows. `completion` is called once.
  func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void)
}
