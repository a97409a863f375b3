import CoreMedia
import Dispatch
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory

/// The system's side of a capture within an app: asks the person, and delivers the screen while the app is in front.
///
/// ```swift
/// let capture = InAppCapture(screen: screen, framesPerSecond: 60)
/// capture.install()   // RPScreenRecorder.shared() now has a screen behind it
/// ```
/// In the background no sample comes, without an error, and the capture goes on when the app is in front again: third
/// parties have seen this, and it is not documented. All calls of the app's handler come on the main queue.
@MainActor
package final class InAppCapture {
  private let screen: EmulatedScreen
  private let framesPerSecond: Double
  private let permission: CapturePermission
  private let timer: any RepeatingTimer
  private let now: () -> UInt64
  private let onEndOfContent: @MainActor (ScreenContentError?) -> Void

  private weak var recorder: RPScreenRecorder?
  private var isRunning = false
  private var isInBackground = false
  private var isTaken = false
  private var frames: UInt64 = 0
  private var lastSample: CMSampleBuffer?

  /// A system that has not been asked yet.
  ///
  /// - Parameters:
  ///   - framesPerSecond: how often the screen changes.
  ///   - timer: ticks on the main queue, once per frame.
  ///   - now: monotonic nanoseconds; the time of the samples.
  ///   - onEndOfContent: told when the screen has nothing more to show, and why if it broke off.
  package init(
    screen: EmulatedScreen, framesPerSecond: Double, permission: CapturePermission = .granted,
    timer: any RepeatingTimer = DispatchTimer(queue: .main),
    now: @escaping () -> UInt64 = { SystemClock().now.nanoseconds },
    onEndOfContent: @escaping @MainActor (ScreenContentError?) -> Void = { _ in }
  ) {
    self.screen = screen
    self.framesPerSecond = framesPerSecond
    self.permission = permission
    self.timer = timer
    self.now = now
    self.onEndOfContent = onEndOfContent
  }

  /// Puts itself, held weakly, behind a recorder: the app's by default. The recorder is held weakly too.
  package func install(behind recorder: RPScreenRecorder = .shared()) {
    self.recorder = recorder
    recorder.attach(self, isAvailable: permission != .disabled && !isTaken)
  }

  /// The app leaves the screen: no sample comes until it is back.
  package func enterBackground() { isInBackground = true }

  /// The app is on the screen again.
  package func enterForeground() { isInBackground = false }

  /// Another app takes the recorder, for good: a capture that runs ends with the error `interrupted`, and none starts.
  package func interrupt() {
    // A capture whose screen has nothing more to show is one still.
    let isCaptured = isRunning || recorder?.isRecording == true
    stop()
    isTaken = true
    recorder?.setAvailable(false)
    guard isCaptured else { return }
    recorder?.interrupt(
      RPScreenRecorder.error(.interrupted, "The capture was interrupted by another app."),
      lastSample: lastSample)
  }

  /// Delivers the next picture, if there is one: one tick of the timer.
  package func step() {
    guard isRunning, let recorder, !isInBackground else { return }
    do throws(ScreenContentError) {
      let (drawing, sample) = try screen.nextSample(frame: frames + 1, time: now())
      if let sample {
        frames += 1
        lastSample = sample.buffer
        sample.lend { recorder.deliver($0, .video) }
        screen.useNextBuffer()
      }
      guard drawing == .ended else { return }
      stop()
      onEndOfContent(nil)
    } catch {
      stop()
      // Told first: with the capture the program may end.
      onEndOfContent(error)
      let failure = RPScreenRecorder.error(.failed, "The capture failed: \(error).", cause: error)
      recorder.interrupt(failure, lastSample: lastSample)
    }
  }

  private func stop() {
    timer.cancel()
    isRunning = false
  }

  private var refusal: NSError? {
    switch permission {
    case .granted where isTaken: RPScreenRecorder.error(.failedToStart, "Another app uses the recorder.")
    case .granted: nil
    case .denied: RPScreenRecorder.error(.userDeclined, "The user declined application recording.")
    case .disabled: RPScreenRecorder.error(.disabled, "Recording is switched off on this device.")
    case .call: RPScreenRecorder.error(.activePhoneCall, "A phone call is active.")
    }
  }
}

extension InAppCapture: ScreenCaptureSystem {
  /// Starts delivering, or refuses as the permission says.
  package func startCapture(
    for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
    completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    if let refusal { return completion(refusal) }
    isRunning = true
    timer.start(every: .seconds(1) / framesPerSecond) { [weak self] in
      MainActor.assumeIsolated { self?.step() }
    }
    completion(nil)
    step()
  }

  /// Delivers nothing any more.
  package func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void) {
    stop()
    completion(nil)
  }
}
