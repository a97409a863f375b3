import CommandLineSupport
import CoreVideo
import PixelAccess
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory
import Synchronization
import TestPatterns
import WebRTC

/// Knows a capture within the app: gets the recorder's samples, puts them into the call, and holds all of it as one
/// state that changes at once.
///
/// This is the article's other way: no extension, no container, one process.
@MainActor
package final class CaptureProvider: NSObject, WatchedProvider {
  /// The present state.
  package private(set) var state = BroadcastState()
  /// The delays of all frames; only their ages are known.
  package private(set) var delays = FrameDelays()
  /// Told after every change, with the state before and after.
  package var onCommit: (_ old: BroadcastState, _ new: BroadcastState) -> Void = { _, _ in }
  /// Never told: the emulated system gives a capture no sound.
  package var onSound: (BroadcastAudio) -> Void = { _ in }

  private let recorder: RPScreenRecorder
  private let call: VideoCall
  private let verifies: Bool
  private let now: () -> UInt64
  private let sent = SentFrames()
  private var refusal: CaptureChange.Failure?
  private var interruption: CaptureChange.Failure?
  /// The session and the burned-in number of the frame that was proven last.
  private var lastProven: (session: UInt64, number: UInt32)?
  /// When the sample before was taken; `nil` before the first, and of each one that follows a time in the background.
  private var lastTime: UInt64?
  /// The times between samples, added up, and how many of them.
  private var gaps = (count: UInt64(0), nanoseconds: UInt64(0))

  /// A process has one capture, and so one session.
  private static let session: UInt64 = 1

  /// A provider over a recorder; frames go into `call`.
  ///
  /// - Parameters:
  ///   - verifies: whether every frame that enters the call is checked against the proof pattern.
  ///   - now: monotonic nanoseconds.
  package init(
    recorder: RPScreenRecorder = .shared(), call: VideoCall, verifies: Bool = false,
    now: @escaping () -> UInt64 = { SystemClock().now.nanoseconds }
  ) {
    self.recorder = recorder
    self.call = call
    self.verifies = verifies
    self.now = now
    super.init()
    recorder.delegate = self
    call.track.add(sent)
  }

  /// What the watch is of.
  package var subject: String { "capture" }

  /// Nothing: a capture starts at once, or is refused.
  package var opening: [WatchOutput] { [] }

  /// Starts the capture. Called while one runs, it asks for a second one, which is refused, and the first goes on.
  package func start() {
    recorder.startCapture(
      handler: { [weak self] sample, type, error in
        MainQueue.run { self?.receive(sample, type, error) }
      },
      completionHandler: { [weak self] error in MainQueue.run { self?.hasStarted(error) } })
  }

  /// Ends the capture.
  package func stop() { recorder.stopCapture() }

  /// Nothing is to be asked for: the recorder tells all by itself.
  package func refresh() {}

  /// The app leaves the screen.
  package func enterBackground() {
    guard recorder.isRecording, state.capture?.kind != .background else { return }
    lastTime = nil
    commit { state in
      state.phase = .paused
      state.capture = CaptureChange(.background)
    }
  }

  /// The app is on the screen again; the next sample says the rest.
  package func enterForeground() {
    guard recorder.isRecording, state.capture?.kind == .background else { return }
    commit { $0.capture = CaptureChange(.foreground) }
  }

  /// Why the capture did not start, or ended by itself.
  package func failure(wasInterrupted: Bool) -> ProgramFailure? {
    if let refusal {
      return ProgramFailure(
        Self.exitCode(of: refusal), "The capture was refused (\(Self.name(of: refusal))): \(refusal.text)")
    }
    if let interruption {
      return ProgramFailure(
        .endedByHandler, "The capture ended (\(Self.name(of: interruption))): \(interruption.text)")
    }
    guard state.frames.framesDelivered == 0, !wasInterrupted else { return nil }
    if let failure = state.failure { return ProgramFailure(failure) }
    return ProgramFailure(.nothingCame, "No frame came.")
  }

  private func hasStarted(_ error: (any Error)?) {
    guard let error else { return commit { $0.capture = CaptureChange(.started) } }
    let change = CaptureChange(.refused, error)
    // A second start that is refused takes nothing from the first.
    guard !recorder.isRecording else { return commit { $0.capture = change } }
    refusal = change.error
    commit { state in
      state.capture = change
      state.phase = .ended(nil)
    }
  }

  /// Handler and delegate are both told; the handler not before the first sample.
  private func hasEnded(_ error: any Error) {
    guard interruption == nil else { return }
    let change = CaptureChange(.interrupted, error)
    interruption = change.error
    commit { state in
      state.capture = change
      state.phase = .ended(change.error.map { $0.text.hasSuffix(".") ? String($0.text.dropLast()) : $0.text })
    }
  }

  private func receive(_ sample: CMSampleBuffer, _ type: RPSampleBufferType, _ error: (any Error)?) {
    if let error { return hasEnded(error) }
    guard type == .video, let picture = CMSampleBufferGetImageBuffer(sample) else { return }
    let arrival = now()
    let orientation = sample.orientationNumber.flatMap { CGImagePropertyOrientation(rawValue: $0) } ?? .up
    receive(picture, orientation, time: sample.captureTime.nanoseconds, arrival: arrival)
  }

  private func receive(
    _ picture: CVPixelBuffer, _ orientation: CGImagePropertyOrientation, time: UInt64, arrival: UInt64
  ) {
    countTime(time)
    let before = sent.count
    var failure: BroadcastFailure?
    do { try call.send(picture, orientation: orientation, time: time) } catch { failure = .picture(error) }
    let entered = sent.count > before
    // What is left out for the rate is nobody's picture.
    let verdict = verifies && entered ? ProofVerifier.verify(picture) : nil
    let age = arrival - min(arrival, time)
    if entered { delays.ages.add(age) }
    commit { state in
      state.phase = .live
      state.failure = failure
      state.format = FrameFormat(picture, orientation: orientation)
      state.frames.polls += 1
      state.ticks = state.frames.polls
      state.framesPublished = state.frames.polls
      state.lastFrame = BroadcastFrame.ID(session: Self.session, number: state.frames.polls)
      state.secondsPolled = secondsOfSamples(state.frames.polls)
      guard entered else {
        state.frames.framesSkipped += 1
        return
      }
      state.frames.framesDelivered += 1
      state.lastAge = Double(age) / 1e6
      if let verdict { state.count(verdict, of: Self.session, after: &lastProven) }
    }
  }

  private func countTime(_ time: UInt64) {
    if let lastTime, time > lastTime { gaps = (gaps.count + 1, gaps.nanoseconds + (time - lastTime)) }
    lastTime = time
  }

  /// How long the samples last together: each as long as they do on the average.
  private func secondsOfSamples(_ count: UInt64) -> Double {
    gaps.count > 0 ? Double(gaps.nanoseconds) / 1e9 / Double(gaps.count) * Double(count) : 0
  }

  /// Changes the state, in one step that others see whole.
  private func commit(_ change: (inout BroadcastState) -> Void) {
    let old = state
    change(&state)
    if state != old { onCommit(old, state) }
  }

  private static func exitCode(of failure: CaptureChange.Failure) -> ExitCode {
    switch code(of: failure) {
    case .userDeclined, .disabled, .activePhoneCall: .notPermitted
    default: .endedByHandler
    }
  }

  private static func name(of failure: CaptureChange.Failure) -> String {
    "\(code(of: failure).map { "\($0), " } ?? "")code \(failure.code)"
  }

  private static func code(of failure: CaptureChange.Failure) -> RPRecordingErrorCode? {
    failure.domain == RPRecordingErrorDomain ? RPRecordingErrorCode(rawValue: failure.code) : nil
  }
}

// The recorder calls its delegate on the main queue; the protocol cannot say so.
extension CaptureProvider: RPScreenRecorderDelegate {
  /// Notes that the system ended the capture.
  package nonisolated func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {
    guard let error else { return }
    MainQueue.run { hasEnded(error) }
  }
}

/// Counts what enters the call.
private final class SentFrames: NSObject, RTCVideoRenderer {
  private let frames = Mutex(UInt64(0))

  var count: UInt64 { frames.withLock { $0 } }

  func setSize(_ size: CGSize) {}

  func renderFrame(_ frame: RTCVideoFrame?) { frames.withLock { $0 += frame == nil ? 0 : 1 } }
}
