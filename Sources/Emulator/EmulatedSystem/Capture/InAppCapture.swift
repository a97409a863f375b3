import CoreMedia
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast

/// The system's side of a capture within an app: asks the person, and delivers the screen while the app is in front.
///
/// ```swift
/// let capture = InAppCapture(screen: screen)
/// capture.install()   // becomes the system of RPScreenRecorder.shared()
/// ```
/// The app's handler is called on a private queue, as on a device, and at most five samples wait for it. While the app
/// is in the background no sample comes, without an error, and the capture continues when the app returns: third
/// parties observed this, and it is not documented.
@MainActor
package final class InAppCapture {
  private let screen: EmulatedScreen
  private let permission: CapturePermission
  private let time: DeviceTime
  private let timer: any RepeatingTimer
  private let onEndOfContent: @MainActor (ScreenContentError?) -> Void

  private var delivery: SampleDelivery<RPScreenRecorder>?
  private weak var recorder: RPScreenRecorder?
  private var isRunning = false
  private var isTaken = false
  private var frames: UInt64 = 0
  private var lastSample: CMSampleBuffer?

  /// `onEndOfContent` is called when the screen's content ends, with its error if it failed.
  package init(
    screen: EmulatedScreen, permission: CapturePermission = .granted, time: DeviceTime = DeviceTime(),
    onEndOfContent: @escaping @MainActor (ScreenContentError?) -> Void = { _ in }
  ) {
    (self.screen, self.permission, self.onEndOfContent) = (screen, permission, onEndOfContent)
    screen.keepsRetainedPictures = true
    (self.time, timer) = (time, time.makeTimer(.main))
  }

  /// Becomes the system of a recorder, which holds it weakly. It holds the recorder weakly too.
  package func install(behind recorder: RPScreenRecorder = .shared()) {
    self.recorder = recorder
    recorder.attach(self, isAvailable: permission != .disabled && !isTaken)
  }

  /// Whether the app has left the screen: no sample comes until it returns.
  package var isInBackground = false

  /// Another app takes the recorder, for good: a running capture ends with the error `interrupted`, and none starts.
  package func interrupt() {
    // A capture whose content has ended still runs.
    let isCaptured = isRunning || recorder?.isRecording == true
    stop()
    isTaken = true
    recorder?.setAvailable(false)
    if isCaptured {
      fail(RPScreenRecorder.error(.interrupted, "The capture was interrupted by another app."))
    }
  }

  /// The app's window changes its size, as in multitasking: a running capture ends with the error `contentResize`.
  package func resizeContent() {
    guard isRunning else { return }
    stop()
    fail(RPScreenRecorder.error(.contentResize, "The recording ended because the content changed its size."))
  }

  /// Delivers the next frame, if there is one: one tick of the timer.
  package func step() {
    guard isRunning, !isInBackground else { return }
    do throws(ScreenContentError) {
      let drawing = try screen.drawFrame(frames + 1, at: time.clock.now) { sample, memory in
        guard delivery?.offer(sample, .video, memory: memory) == true else { return false }
        frames += 1
        lastSample = sample
        return true
      }
      guard drawing == .ended else { return }
      stop()
      onEndOfContent(nil)
    } catch {
      stop()
      // This comes first, because the program may end with the capture.
      onEndOfContent(error)
      fail(RPScreenRecorder.error(.failed, "The capture failed: \(error).", cause: error))
    }
  }

  private func stop() {
    timer.cancel()
    isRunning = false
  }

  private func fail(_ error: NSError) {
    recorder?.interrupt(error, lastSample: lastSample) { [delivery] callHandler in
      if let delivery { delivery.call { _ in callHandler() } } else { callHandler() }
    }
  }

  private var refusal: NSError? {
    switch permission {
    case .granted where isTaken: RPScreenRecorder.error(.failedToStart, "Another app uses the recorder.")
    case .granted, .unanswered: nil
    case .denied: RPScreenRecorder.error(.userDeclined, "The user declined application recording.")
    case .disabled: RPScreenRecorder.error(.disabled, "Recording is switched off on this device.")
    case .call: RPScreenRecorder.error(.activePhoneCall, "A phone call is active.")
    case .fails: RPScreenRecorder.error(.failedToStartCaptureStack, "The capture stack could not be started.")
    }
  }
}

extension InAppCapture: ScreenCaptureSystem {
  /// Starts the capture, or refuses it according to the permission.
  package func startCapture(
    for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
    completion: @escaping @MainActor ((any Error)?) -> Void
  ) {
    if permission == .unanswered { return }
    if let refusal { return completion(refusal) }
    isRunning = true
    delivery = SampleDelivery(to: recorder, time: time) { $0.deliver($1, $2) }
    timer.start(every: .seconds(1) / screen.framesPerSecond) { [weak self] in
      MainActor.assumeIsolated { self?.step() }
    }
    completion(nil)
    step()
  }

  /// Stops the capture. `completion` follows the handler's last call.
  package func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void) {
    stop()
    guard let delivery else { return completion(nil) }
    delivery.call { _ in
    } completion: {
      DispatchQueue.main.async { MainActor.assumeIsolated { completion(nil) } }
    }
    self.delivery = nil
  }
}

/// The answer to an app that wants to capture its screen: the person's, or the system's.
package enum CapturePermission: String, CaseIterable, Sendable {
  case granted, denied
  /// Recording is switched off on the device, which does not ask.
  case disabled
  /// The person is in a phone call.
  case call
  /// The system cannot start to capture.
  case fails
  /// The completion handler is never called.
  case unanswered
}
