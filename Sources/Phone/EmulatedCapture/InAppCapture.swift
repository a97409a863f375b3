import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import UIKit

/// The system's side of a capture within an app: asks the person, and delivers the screen while the app is in the
/// foreground.
///
/// ```swift
/// let capture = InAppCapture(on: device, screen: screen)
/// capture.install()   // becomes the system of RPScreenRecorder.shared()
/// ```
/// The app's handler is called on two serial queues (video and audio) as on a device, and at most five samples of each wait
/// for it. Frames have no orientation. Audio comes from the given streams; the microphone is included if the app wants it
/// and the person allows it. While the app is in the background, no sample comes and no error is reported. The capture
/// continues when the app returns. Third parties observed this; it is not documented.
@MainActor
package final class InAppCapture {
  typealias Delivery = SampleDelivery<RPScreenRecorder>

  package let device: Device
  package let screen: EmulatedScreen
  private let audio: [EmulatedAudio]
  private let permission: CapturePermission
  package nonisolated let time: DeviceTime
  private let timer: any RepeatingTimer
  package let onEvent: @MainActor (CaptureUpdate) -> Void

  private var video: Delivery?
  private var sound: Delivery?
  /// The statistics of the earlier captures, without the current one.
  private var earlier = CaptureFigures()
  private var streams: [EmulatedAudio] = []
  private weak var recorder: RPScreenRecorder?
  private var observation: DeviceObservation?
  package private(set) var isRunning = false
  private var isTaken = false
  private var frames: UInt64 = 0
  package var requestStart: @MainActor () -> Void = {}

  package init(
    on device: Device, screen: EmulatedScreen, audio: [EmulatedAudio] = [],
    permission: CapturePermission = .granted,
    time: DeviceTime = DeviceTime(),
    onEvent: @escaping @MainActor (CaptureUpdate) -> Void = { _ in }
  ) {
    self.device = device
    self.screen = screen
    self.audio = audio
    self.permission = permission
    self.onEvent = onEvent
    screen.orientation = nil
    screen.keepsRetainedPictures = true
    (self.time, timer) = (time, time.makeTimer(.main))
    observation = device.observe { [weak self] _, old, new in
      MainActor.assumeIsolated { self?.deviceChanged(from: old, to: new) }
    }
  }

  /// Becomes the system of a recorder. Each holds the other weakly.
  package func install(behind recorder: RPScreenRecorder = .shared()) {
    self.recorder = recorder
    System.endOnBrokenPipes()
    recorder.attach(self, unavailability: unavailability)
  }

  private func deviceChanged(from old: DeviceState, to new: DeviceState) {
    for stream in streams {
      stream.follow(old, new)
      if old.app.isInBackground, !new.app.isInBackground { stream.skip(to: time.clock.now) }
    }
  }

  /// Another app takes the recorder for good. A running capture ends with the error `interrupted`, and no later capture
  /// starts.
  package func interrupt() {
    // A capture whose content has ended is still running.
    let isCaptured = isRunning || recorder?.isRecording == true
    stop()
    isTaken = true
    recorder?.setUnavailability(unavailability)
    if isCaptured { end(.interrupted, "The capture was interrupted by another app.") }
  }

  package var figures: CaptureFigures {
    var figures = earlier
    for delivery in [video, sound].compactMap(\.self) { figures.add(delivery) }
    return figures
  }

  /// Ends the capture on behalf of the system.
  private func end(_ code: RPRecordingErrorCode, _ text: String, cause: (any Error)? = nil) {
    earlier.endingCode = code.rawValue
    recorder?.interrupt(RPScreenRecorder.error(code, text, cause: cause))
  }

  /// The app's window is resized, as in multitasking. A running capture ends with the error `contentResize`.
  package func resizeContent() {
    guard isRunning else { return }
    stop()
    end(.contentResize, "Recording interrupted by multitasking and content resizing")
  }

  /// One tick of the timer: delivers the next frame, if there is one, and the audio up to now.
  package func step() {
    guard isRunning, !isInBackground else { return }
    sound?.offer(&streams, until: time.clock.now, room: sound?.room(for: .audio) ?? 0)
    do throws(ScreenContentError) {
      let drawing = try screen.drawFrame(frames + 1, at: time.clock.now) { sample, memory in
        guard video?.offer(sample, .video, memory: memory) == true else { return false }
        frames += 1
        return true
      }
      if drawing == nil { earlier.framesDropped += 1 }
      guard drawing == .ended else { return }
      stop()
      onEvent(.endOfContent(nil))
    } catch {
      stop()
      // Report this first, because the program may end with the capture.
      onEvent(.endOfContent(error))
      end(.failed, "The capture failed: \(error).", cause: error)
    }
  }

  private func stop() {
    timer.cancel()
    isRunning = false
    device.change { $0.captures.remove(.recorder) }
  }

  /// The reason why no capture can start, whatever the person answers.
  private var unavailability: NSError? {
    if isTaken { return RPScreenRecorder.error(.failedToStart, "Another app uses the recorder.") }
    guard permission == .disabled else { return nil }
    return RPScreenRecorder.error(.disabled, "Recording is switched off on this device.")
  }

  private var refusal: NSError? {
    switch permission {
    case .granted, .withoutMicrophone, .unanswered, .stopUnanswered, .disabled: unavailability
    case .denied: RPScreenRecorder.error(.userDeclined, "The user declined application recording")
    case .call: RPScreenRecorder.error(.activePhoneCall, "A phone call is active.")
    case .fails: RPScreenRecorder.error(.failedToStartCaptureStack, "The capture stack could not be started.")
    }
  }
}

extension InAppCapture: CaptureSystem {
  private typealias Form = SystemEvent<InAppCapture>.Form

  /// The forms of all events, in the order of `--help`.
  package nonisolated static let eventForms: [SystemEvent<InAppCapture>.Form] =
    deviceForms(.isAssumed)
    + [
      Form("background", named: "Home", "The app leaves the screen: no samples until it returns.") {
        $0.device.change { $0.app.note(.background) }
      },
      Form("foreground", named: "Open the app", "The app returns.") {
        $0.device.change { $0.app.note(.foreground) }
      },
      Form("interrupt", "Another app takes the recorder: interrupted, -5806.", endsAfter: .zero) {
        $0.interrupt()
      },
      Form(
        "content-resize", "The app's window changes its size in multitasking: contentResize, -5807.",
        endsAfter: .zero
      ) { $0.resizeContent() },
      Form("start-again", "The app requests a second capture. The request fails while the first one runs.") {
        $0.requestStart()
      },
    ].under(.app)
}

extension InAppCapture: ScreenCaptureSystem {
  /// Starts the capture, or refuses it, depending on the permission.
  package func startCapture(
    for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
    completion: @escaping @MainActor (_ error: (any Error)?, _ hasMicrophone: Bool) -> Void
  ) {
    onEvent(.asked("The app requests a capture: \(permission.rawValue)."))
    if permission == .unanswered { return }
    if let refusal { return completion(refusal, false) }
    earlier = figures
    earlier.starts += 1
    earlier.endingCode = nil
    isRunning = true
    device.change { $0.captures.insert(.recorder) }
    video = SampleDelivery(to: recorder, label: "com.replaykit.capture.VideoSampleQueue", time: time) {
      $0.deliver($1, $2)
    }
    sound = SampleDelivery(to: recorder, label: "com.replaykit.capture.AudioSampleQueue", time: time) {
      $0.deliver($1, $2)
    }
    let hasMicrophone = isMicrophoneEnabled && permission != .withoutMicrophone
    streams = audio.filter { $0.type != .audioMic || hasMicrophone }
    for stream in streams {
      stream.follow(DeviceState(), device.state)
      stream.start(at: time.clock.now)
    }
    timer.startOnMain(every: .seconds(1) / screen.framesPerSecond) { [weak self] in self?.step() }
    completion(nil, hasMicrophone)
    step()
  }

  /// Stops the capture. `completion` is called after the handler's last call.
  package func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void) {
    stop()
    if permission == .stopUnanswered { return }
    guard let video, let sound else { return completion(nil) }
    earlier = figures
    (self.video, self.sound) = (nil, nil)
    Self.wait(for: [video, sound], time) { completion(nil) }
  }
}

/// The answer of the person or the system to an app that requests a capture from the recorder.
public enum CapturePermission: String, CaseIterable, Sendable {
  case granted
  /// The person declines: `userDeclined`.
  case denied
  /// The person allows the screen but not the microphone.
  case withoutMicrophone
  /// Recording is switched off on the device, so the person is not asked: `disabled`.
  case disabled
  /// A phone call is active: `activePhoneCall`.
  case call
  /// The system cannot start the capture: `failedToStartCaptureStack`.
  case fails
  /// The completion handler is never called.
  case unanswered
  /// The capture starts, but the completion handler of a stop is never called, as public reports describe.
  case stopUnanswered
}
