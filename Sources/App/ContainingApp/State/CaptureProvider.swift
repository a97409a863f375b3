import CommandLineSupport
import CoreVideo
import Foundation
import PixelAccess
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory
import Synchronization
import TestPatterns
import WebRTC

/// Follows a capture within the app, the article's other way: no extension, no container, one process. Puts the
/// samples of the recorder into the call.
@MainActor
package final class CaptureProvider: NSObject, WatchedProvider {
  package let store = BroadcastStateStore()
  /// Never called: this app leaves the audio of its capture out.
  package var audioHandler: (BroadcastAudio) -> Void = { _ in }

  private let recorder: RPScreenRecorder
  private let call: VideoCall
  private let verifies: Bool
  private let clock: any MonotonicClock
  private let sent = SentFrames()
  /// The memory for copies of frames; `nil` if nothing keeps them.
  private var copies: AdaptivePixelBufferPool?
  /// The refusal or the interruption that ended the capture.
  private var ending: CaptureChange?
  /// The capture time of the previous sample; `nil` before the first one, and after a time in the background.
  private var lastTime: MonotonicTime?
  /// The intervals between samples: their number and their sum.
  private var intervals = (count: UInt64(0), sum: Duration.zero)

  /// A process has one capture, and so one session.
  private static let session: UInt64 = 1

  /// A provider over a recorder, which puts the frames into `call`.
  ///
  /// - Parameters:
  ///   - verifies: whether every frame that enters the call is compared with the proof pattern.
  ///   - copiesFrames: whether renderers of the call keep frames, which would leave the recorder without buffers.
  package init(
    recorder: RPScreenRecorder = .shared(), call: VideoCall, verifies: Bool = false,
    copiesFrames: Bool = false,
    clock: any MonotonicClock = SystemClock()
  ) {
    self.recorder = recorder
    self.call = call
    self.verifies = verifies
    self.clock = clock
    copies = copiesFrames ? AdaptivePixelBufferPool() : nil
    super.init()
    recorder.delegate = self
    call.track.add(sent)
  }

  package var subject: String { "capture" }
  package var opening: [WatchMessage] { [] }

  /// Starts the capture. During a capture the recorder refuses a second one, and the first continues.
  package func start() {
    recorder.startCapture(
      handler: { [weak self] sample, type, _ in
        MainQueue.run { self?.receive(sample, type) }
      },
      completionHandler: { [weak self] error in MainQueue.run { self?.hasStarted(error) } })
  }

  package func stop() { recorder.stopCapture() }

  package func refresh() {}

  /// Reports that the app left the screen.
  package func enterBackground() {
    guard recorder.isRecording, state.capture?.kind != .background else { return }
    lastTime = nil
    store.commit { state in
      state.phase = .paused
      state.capture = CaptureChange(.background)
    }
  }

  /// Reports that the app is on the screen again; the next sample changes the phase.
  package func enterForeground() {
    guard recorder.isRecording, state.capture?.kind == .background else { return }
    store.commit { $0.capture = CaptureChange(.foreground) }
  }

  package func failure(wasInterrupted: Bool) -> ProgramFailure? {
    if let ending, let error = ending.error {
      let what = ending.kind == .refused ? "was refused" : "ended"
      return ProgramFailure(error.exitCode, "The capture \(what) (\(error.name)): \(error.text)")
    }
    guard state.frames.framesDelivered == 0, !wasInterrupted else { return nil }
    return state.failure?.programFailure ?? ProgramFailure(.nothingCame, "No frame came.")
  }

  private func hasStarted(_ error: (any Error)?) {
    guard let error else { return store.commit { $0.capture = CaptureChange(.started) } }
    let change = CaptureChange(.refused, error)
    // The refusal of a second start does not end the first capture.
    guard !recorder.isRecording else { return store.commit { $0.capture = change } }
    end(change, nil)
  }

  private func hasEnded(_ error: any Error) {
    let text = error.localizedDescription
    end(CaptureChange(.interrupted, error), text.hasSuffix(".") ? String(text.dropLast()) : text)
  }

  private func end(_ change: CaptureChange, _ text: String?) {
    ending = change
    store.commit { state in
      state.capture = change
      state.phase = .ended(text)
    }
  }

  private func receive(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) {
    guard type == .video, let picture = CMSampleBufferGetImageBuffer(sample) else { return }
    let time = sample.captureTime
    let age = max(.zero, clock.now - time)
    let orientation = sample.orientationNumber.flatMap { CGImagePropertyOrientation(rawValue: $0) } ?? .up
    countInterval(to: time)
    let before = sent.count
    var failure: BroadcastFailure?
    do throws(PixelBufferError) {
      try call.send(
        copies?.makeCopy(of: picture) ?? picture, orientation: orientation, time: time,
        number: state.frames.polls + 1)
    } catch {
      failure = .picture(error)
    }
    let entered = sent.count > before
    let verdict = verifies && entered ? ProofVerifier.verify(picture) : nil
    if entered { store.delays.ages.add(age) }
    store.commit { state in
      // A sample that was on its way when the app left the screen changes nothing.
      if state.capture?.kind != .background { state.phase = .live }
      state.failure = failure
      state.format = FrameFormat(picture, orientation: orientation)
      state.frames.polls += 1
      state.ticks = state.frames.polls
      state.framesPublished = state.frames.polls
      state.lastFrame = BroadcastFrame.ID(session: Self.session, number: state.frames.polls)
      state.timePolled = duration(ofSamples: state.frames.polls)
      guard entered else {
        state.frames.framesSkipped += 1
        return
      }
      state.frames.framesDelivered += 1
      state.lastAge = age
      if let verdict { state.count(verdict, of: Self.session) }
    }
  }

  private func countInterval(to time: MonotonicTime) {
    if let lastTime, time > lastTime { intervals = (intervals.count + 1, intervals.sum + (time - lastTime)) }
    lastTime = time
  }

  /// The time of `count` samples at the average interval.
  private func duration(ofSamples count: UInt64) -> Duration {
    intervals.count > 0 ? intervals.sum * (Double(count) / Double(intervals.count)) : .zero
  }
}

extension CaptureChange.Failure {
  private var recordingCode: RPRecordingErrorCode? {
    domain == RPRecordingErrorDomain ? RPRecordingErrorCode(rawValue: code) : nil
  }

  fileprivate var exitCode: ExitCode {
    switch recordingCode {
    case .userDeclined, .disabled, .activePhoneCall: .notPermitted
    default: .endedByHandler
    }
  }

  fileprivate var name: String { "\(recordingCode.map { "\($0), " } ?? "")code \(code)" }
}

extension CaptureProvider: RPScreenRecorderDelegate {
  /// Reports that the system ended the capture.
  package nonisolated func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {
    guard let error else { return }
    MainQueue.run { hasEnded(error) }
  }
}

/// Counts the frames that enter the call.
private final class SentFrames: NSObject, RTCVideoRenderer {
  private let frames = Mutex(UInt64(0))

  var count: UInt64 { frames.withLock { $0 } }

  func setSize(_ size: CGSize) {}

  func renderFrame(_ frame: RTCVideoFrame?) { frames.withLock { $0 += frame == nil ? 0 : 1 } }
}

/// A change of a capture within the app.
package struct CaptureChange: Equatable, Sendable {
  /// The kind; the raw value is its name in JSON.
  package enum Kind: String, CaseIterable, Sendable {
    case started
    case refused
    /// The app left the screen: no samples.
    case background
    case foreground
    /// The system ended the capture.
    case interrupted
  }

  package var kind: Kind
  package var error: Failure?

  package struct Failure: Equatable, Sendable {
    package var domain: String
    package var code: Int
    package var text: String
  }

  package init(_ kind: Kind, _ error: (any Error)? = nil) {
    self.kind = kind
    self.error = error.map { error in
      let error = error as NSError
      return Failure(domain: error.domain, code: error.code, text: error.localizedDescription)
    }
  }
}
