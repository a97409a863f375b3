import Dispatch
import EmulatedDevice
import Platform

/// The handler of samples is called on two serial queues of the system (one for video, one for audio), so two calls may
/// run in parallel. It never receives an error: if the system ends a capture, only the delegate is called, on the main
/// queue. The completion handler of a start is called on the main queue, the completion handler of a stop on a queue of
/// the system. If there is nothing to do, they are called on the caller's thread before the call returns. A held sample
/// keeps its frame.
///
/// Why unchecked: a lock protects the state. Handlers and delegate are not sendable; the app's handler guards its own state.
public final class RPScreenRecorder: NSObject, @unchecked Sendable {
  private typealias CaptureHandler = (CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void

  private struct State {
    var isRecording = false
    var isStopping = false
    var handler: CaptureHandler?
    var isMicrophoneEnabled = false
    var isCameraEnabled = false
    var cameraPosition = RPCameraPosition.front
    var movie: RecorderMovie?
    /// The reason why no capture can start; `nil` if one can.
    var unavailability: NSError? = error(.failedToStart, "There is no screen to capture.")
    weak var system: (any ScreenCaptureSystem)?
    weak var delegate: (any RPScreenRecorderDelegate)?

    /// Ends the capture and returns the app's handler. The caller releases the handler outside of the lock, because
    /// objects that the handler captures may call the recorder when they are released.
    mutating func end() -> CaptureHandler? {
      (isRecording, isStopping) = (false, false)
      return handler.take()
    }
  }

  private let lock = NSLock()
  private var state = State()
  private let replies = DispatchQueue(label: "com.replaykit.capture.replies")
  private let processes = DispatchQueue(label: "com.replaykit.capture.ProcessQueue")

  /// The recorder of the emulated device. Each test has its own device.
  public class func shared() -> RPScreenRecorder { Device.current.object { _ in RPScreenRecorder(for: ()) } }

  /// Creates a recorder without a system. Apps use ``shared()``.
  package init(for _: Void) { super.init() }

  /// A new delegate is notified of ``isAvailable`` at once, on the caller's thread.
  public weak var delegate: (any RPScreenRecorderDelegate)? {
    get { lock.withLock { state.delegate } }
    set {
      lock.withLock { state.delegate = newValue }
      newValue?.screenRecorderDidChangeAvailability(self)
    }
  }

  public var isAvailable: Bool { lock.withLock { state.unavailability == nil } }
  public var isRecording: Bool { lock.withLock { state.isRecording } }

  public var isMicrophoneEnabled: Bool {
    get { lock.withLock { state.isMicrophoneEnabled } }
    set { lock.withLock { state.isMicrophoneEnabled = newValue } }
  }

  /// Without effect: the emulated phone has no camera.
  public var isCameraEnabled: Bool {
    get { lock.withLock { state.isCameraEnabled } }
    set { lock.withLock { state.isCameraEnabled = newValue } }
  }

  /// Without effect.
  public var cameraPosition: RPCameraPosition {
    get { lock.withLock { state.cameraPosition } }
    set { lock.withLock { state.cameraPosition = newValue } }
  }

  @MainActor public var cameraPreviewView: UIView? { nil }

  /// The movie of the current recording.
  var movie: RecorderMovie? {
    get { lock.withLock { state.movie } }
    set { lock.withLock { state.movie = newValue } }
  }

  /// A second call before the completion handler of the first one counts as a new start. The errors
  /// `attemptToStartInRecordingState`, `disabled` and `failedToStart` come before the call returns. `userDeclined`,
  /// `activePhoneCall` and other errors come later.
  public func startCapture(
    handler captureHandler: ((CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void)?,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let (refusal, replaced, isMicrophoneEnabled) = lock.withLock {
      () -> (NSError?, CaptureHandler?, Bool) in
      guard !state.isRecording else {
        return (Self.error(.attemptToStartInRecordingState, "A capture is running already."), nil, false)
      }
      if let error = state.unavailability { return (error, nil, false) }
      defer { state.handler = captureHandler }
      return (nil, state.handler, state.isMicrophoneEnabled)
    }
    withExtendedLifetime(replaced) {}
    if let refusal {
      completionHandler?(refusal)
      return
    }
    onMain { [self] in
      guard let system = lock.withLock({ state.system }) else {
        hasStarted(Self.error(.failedToStart, "There is no screen to capture."), false, completionHandler)
        return
      }
      system.startCapture(for: self, isMicrophoneEnabled: isMicrophoneEnabled) {
        [self] error, hasMicrophone in
        hasStarted(error, hasMicrophone, completionHandler)
      }
    }
  }

  public nonisolated(nonsending) func startCapture(
    handler captureHandler: ((CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void)?
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      startCapture(handler: captureHandler) { error in continuation.resume(with: Self.result(error)) }
    }
  }

  /// Calls `handler` on a queue of the system, and no sample follows. Without a capture, `handler` receives the error
  /// `attemptToStopNonRecording` before the call returns.
  public func stopCapture(handler: (((any Error)?) -> Void)? = nil) {
    let handler = UncheckedBox(handler)
    let isRecording = lock.withLock {
      guard state.isRecording, !state.isStopping else { return false }
      state.isStopping = true
      return true
    }
    guard isRecording else {
      handler.value?(Self.error(.attemptToStopNonRecording, "No capture is running."))
      return
    }
    onMain { [self] in
      let (isStopping, system) = lock.withLock { (state.isStopping, state.system) }
      // An interruption may have ended the capture, and the app may have started another capture since.
      guard isStopping, let system else {
        hasStopped()
        run(on: replies) { handler.value?(nil) }
        return
      }
      system.stopCapture { [self] error in
        hasStopped()
        let error = UncheckedBox(error)
        run(on: replies) { handler.value?(error.value) }
      }
    }
  }

  public nonisolated(nonsending) func stopCapture() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      stopCapture { error in continuation.resume(with: Self.result(error)) }
    }
  }

  /// Attaches the emulated system without retaining it; `nil` detaches it.
  /// - Parameter unavailability: the reason why no capture can start; `nil` if one can.
  @MainActor
  package func attach(_ system: (any ScreenCaptureSystem)?, unavailability: NSError? = nil) {
    lock.withLock { state.system = system }
    setUnavailability(unavailability)
  }

  /// Sets the reason why no capture can start (`nil`: one can). If the availability changes, notifies the delegate on a
  /// queue of the system.
  @MainActor
  package func setUnavailability(_ error: NSError?) {
    let isChange = lock.withLock {
      defer { state.unavailability = error }
      return (state.unavailability == nil) != (error == nil)
    }
    if isChange {
      run(on: processes) { [self] in delegate?.screenRecorderDidChangeAvailability(self) }
    }
  }

  /// Calls the app's handler with a sample, on the caller's thread.
  package func deliver(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) {
    lock.withLock { state.isRecording && !state.isStopping ? state.handler : nil }?(sample, type, nil)
  }

  /// Ends the capture on behalf of the system. Calls the delegate before it returns.
  @MainActor
  package func interrupt(_ error: any Error) {
    let (wasRunning, handler) = lock.withLock { (state.isRecording, UncheckedBox(state.end())) }
    withExtendedLifetime(handler) {}
    if wasRunning { delegate?.screenRecorder(self, didStopRecordingWith: nil, error: error) }
  }

  /// Returns an error in the recorder's domain.
  package static func error(
    _ code: RPRecordingErrorCode, _ text: String, cause: (any Error)? = nil
  ) -> NSError {
    code.error(text, cause: cause)
  }

  @MainActor
  private func hasStarted(
    _ error: (any Error)?, _ hasMicrophone: Bool, _ completion: (@Sendable ((any Error)?) -> Void)?
  ) {
    let refused = lock.withLock { () -> CaptureHandler? in
      guard error == nil else { return state.isRecording ? nil : state.end() }
      state.isRecording = true
      if !hasMicrophone { state.isMicrophoneEnabled = false }
      return nil
    }
    withExtendedLifetime(refused) { completion?(error) }
  }

  @MainActor
  private func hasStopped() {
    _ = lock.withLock { state.isStopping ? state.end() : nil }
  }

  func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
    run(on: .main) { MainActor.assumeIsolated { body() } }
  }

  /// Runs `body` on a queue of the system.
  func reply(_ body: @escaping @Sendable () -> Void) { run(on: replies, body) }

  func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    guard let system = lock.withLock({ state.system }) else { return queue.async(execute: body) }
    system.run(on: queue, body)
  }

  static func result(_ error: (any Error)?) -> Result<Void, any Error> {
    error.map { .failure($0) } ?? .success(())
  }
}

public protocol RPScreenRecorderDelegate: NSObjectProtocol {
  /// Called on a queue of the system.
  func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder)

  /// Called on the main queue, without a preview.
  func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?)
}

// These methods are optional in Objective-C.
extension RPScreenRecorderDelegate {
  public func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder) {}

  public func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {}
}

/// The emulated system behind the recorder.
///
/// The recorder keeps the order of calls: no start during a capture, no stop without a capture.
@MainActor
package protocol ScreenCaptureSystem: AnyObject, Sendable {
  /// Runs `body` on a queue, in the time of the device.
  nonisolated func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)

  /// Starts a capture, whose samples go to `recorder`. `completion` is called once. It receives an error in
  /// `RPRecordingErrorDomain` if the capture does not start, and whether the microphone is captured.
  func startCapture(
    for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
    completion: @escaping @MainActor (_ error: (any Error)?, _ hasMicrophone: Bool) -> Void)

  /// Stops the capture. No sample follows. `completion` is called once.
  func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void)
}
