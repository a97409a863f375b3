import CommandLineSupport
import ContainingApp
import CoreVideo
import Foundation
import PixelAccess
import Platform
import ReplayKit
import RunReports
import ScreenBroadcast
import ScreenCapture
import SharedMemory
import Synchronization
import TestPatterns
import WebRTC

/// Follows a capture in the app's own process, without an extension and a container, and puts its frames into the call.
///
/// ``RecorderProvider`` captures with ReplayKit, ``StreamProvider`` with ScreenCaptureKit.
@MainActor
package class CaptureProvider: NSObject {
  package let store = BroadcastStateStore()

  private let call: VideoCall
  private let verifies: Bool
  private let clock: any MonotonicClock
  private let sent = SentFrames()
  /// The memory for copies of frames; `nil` if the frames are not copied.
  private var copies: AdaptivePixelBufferPool?
  /// The refusal or the interruption that ended the capture.
  private var ending: CaptureChange?
  /// The capture time of the previous sample; `nil` before the first one, and after a time in the background.
  private var lastTime: MonotonicTime?
  /// The number of intervals between samples, and their sum.
  private var intervals = (count: UInt64(0), sum: Duration.zero)

  /// A process has one capture, so all its frames have one session.
  private static let session: UInt64 = 1

  /// - Parameters:
  ///   - verifies: whether to compare every frame that enters the call with the proof pattern.
  ///   - copiesFrames: whether renderers of the call keep frames. Without copies they would leave the system without
  ///     buffers.
  init(call: VideoCall, verifies: Bool, copiesFrames: Bool, clock: any MonotonicClock) {
    self.call = call
    self.verifies = verifies
    self.clock = clock
    copies = copiesFrames ? AdaptivePixelBufferPool() : nil
    super.init()
    call.track.add(sent)
  }

  private var state: BroadcastState { store.state }

  /// Whether a capture has started and not ended.
  private var isCapturing: Bool { state.capture != nil && ending == nil }

  package var subject: String { "capture" }
  package var opening: [WatchMessage] { [] }

  package func refresh() {}

  /// Reports that the app left the screen.
  package func enterBackground() {
    guard isCapturing, state.capture?.kind != .background else { return }
    lastTime = nil
    store.commit { state in
      state.phase = .paused
      state.capture = CaptureChange(.background)
    }
  }

  /// Reports that the app is on the screen again. The next sample changes the phase.
  package func enterForeground() {
    guard isCapturing, state.capture?.kind == .background else { return }
    store.commit { $0.capture = CaptureChange(.foreground) }
  }

  /// Returns the reason why no frame came or why the capture ended; `nil` if nothing failed. A stop by the person is not a
  /// failure.
  package func failure(wasInterrupted: Bool) -> ProgramFailure? {
    if let ending, let error = ending.error, !error.isStopByPerson {
      let what = ending.kind == .refused ? "was refused" : "ended"
      return ProgramFailure(error.exitCode, "The capture \(what) (\(error.name)): \(error.text)")
    }
    guard state.frames.framesDelivered == 0, !wasInterrupted else { return nil }
    return state.failure?.programFailure ?? ProgramFailure(.nothingCame, "No frame came.")
  }

  /// Reports the result of a start. If a second start is refused, the first capture continues.
  func hasStarted(_ error: (any Error)?) {
    guard let error else {
      ending = nil
      return store.commit { $0.capture = CaptureChange(.started) }
    }
    let change = CaptureChange(.refused, error)
    guard !isCapturing else { return store.commit { $0.capture = change } }
    end(change, nil)
  }

  /// Reports that the system ended the capture.
  func hasEnded(_ error: any Error) {
    let text = error.localizedDescription
    end(CaptureChange(.interrupted, error), text.hasSuffix(".") ? String(text.dropLast()) : text)
  }

  /// Ends the watch after a change.
  func end(_ change: CaptureChange, _ text: String?) {
    ending = change
    store.commit { state in
      state.capture = change
      state.phase = .ended(text)
    }
  }

  /// Puts a frame into the call.
  func receive(_ picture: CVPixelBuffer, at time: MonotonicTime, orientation: CGImagePropertyOrientation) {
    // The capture may end while a sample is in flight.
    guard ending == nil else { return }
    let age = max(.zero, clock.now - time)
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
      // A sample that was in flight when the app left the screen does not change the phase.
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

  /// Returns the time that `count` samples take at the average interval.
  private func duration(ofSamples count: UInt64) -> Duration {
    intervals.count > 0 ? intervals.sum * (Double(count) / Double(intervals.count)) : .zero
  }
}

extension CaptureChange.Failure {
  private var recordingCode: RPRecordingErrorCode? {
    domain == RPRecordingErrorDomain ? RPRecordingErrorCode(rawValue: code) : nil
  }

  private var streamCode: SCStreamError.Code? {
    domain == SCStreamErrorDomain ? SCStreamError.Code(rawValue: code) : nil
  }

  fileprivate var isStopByPerson: Bool { streamCode == .userStopped }

  fileprivate var exitCode: ExitCode {
    switch recordingCode {
    case .userDeclined, .disabled, .activePhoneCall: .notPermitted
    default: streamCode == .userDeclined ? .notPermitted : .endedByHandler
    }
  }

  fileprivate var name: String {
    let name = recordingCode.map { "\($0)" } ?? streamCode.map { "\($0)" }
    return "\(name.map { "\($0), " } ?? "")code \(code)"
  }
}

/// Counts the frames that enter the call.
private final class SentFrames: NSObject, RTCVideoRenderer {
  private let frames = Mutex(UInt64(0))

  var count: UInt64 { frames.withLock { $0 } }

  func setSize(_ size: CGSize) {}

  func renderFrame(_ frame: RTCVideoFrame?) { frames.withLock { $0 += frame == nil ? 0 : 1 } }
}
