import CommandLineSupport
import Foundation
import Platform
import ReplayKit
import ScreenCapture

/// Something that happens to a capture by ScreenCaptureKit from outside.
package typealias CaptureEvent = SystemEvent<ContentCapture>

extension ContentCapture: EventSystem {
  private typealias Form = CaptureEvent.Form
  private typealias Refusal = EventRefusal

  /// The forms of all events, in the order of `--help`. Those that a broadcast has too have its names.
  package nonisolated static let eventForms: [CaptureEvent.Form] = [
    Form(
      "stop", "The person stops the capture at the system's indicator: userStopped, -3817.", endsAfter: .zero
    ) {
      capture throws(Refusal) in
      try capture.end(.userStopped, "The person stopped the capture.")
    },
    Form(
      "error", "NAME", errorName,
      "The system stops the stream with this code of SCStreamError, such as systemStoppedStream.",
      endsAfter: { _ in .zero }
    ) { capture, code throws(Refusal) in try capture.end(code, "The system stopped the stream.") },
    Form(
      "lock", "The device is locked: systemStoppedStream, -3821.", .isAssumed, endsAfter: .zero
    ) {
      capture throws(Refusal) in
      try capture.end(.systemStoppedStream, "The device was locked.")
    },
    Form(
      "lock:pause", "The device is locked, and no sample comes until it is unlocked.",
      [.changesRate, .isAssumed]
    ) {
      capture throws(Refusal) in
      guard capture.pause(for: .lock) else { throw Refusal("The device is locked already.") }
    },
    Form("unlock", "The device is unlocked after lock:pause.", .isAssumed) { capture throws(Refusal) in
      guard capture.resume(from: .lock) else { throw Refusal("The device is not locked.") }
    },
    Form(
      "call", "A phone call begins: app audio and microphone end, also after the call. Video goes on.",
      .isAssumed
    ) {
      capture throws(Refusal) in
      guard !capture.isInCall else { throw Refusal("The phone is in a call already.") }
      capture.isInCall = true
      for stream in capture.audio { stream.end() }
    },
    Form("hangup", "The phone call ends.", .isAssumed) { capture throws(Refusal) in
      guard capture.isInCall else { throw Refusal("There is no phone call.") }
      capture.isInCall = false
    },
    Form(
      "background",
      "The app leaves the screen: without screen-capture in UIBackgroundModes the stream ends, -3824."
    ) { capture throws(Refusal) in
      try capture.enterBackground()
      NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
    },
    Form("foreground", "The app returns.") { capture throws(Refusal) in
      NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: nil)
      try capture.enterForeground()
    },
    Form(
      "rotate", "NAME", .orientation,
      "The device turns to this orientation: up, left, down, right. The frames keep their size."
    ) { capture, orientation in capture.screen.orientation = orientation },
    Form(
      "still", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest),
      "The screen does not change for this time: samples with the status idle.", [.changesRate, .isAssumed]
    ) { capture, time in capture.stillUntil = capture.time.clock.now + time },
    Form(
      "protected", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest),
      "The screen shows protected content for this time: black frames with the status blank."
    ) { capture, time in capture.screen.protectedUntil = capture.time.clock.now + time },
    Form("start-again", "The app shows the picker again.") { $0.requestStart() },
    Form(
      "kill", "The person swipes the app away: SIGKILL.", .needsProcess, endsAfter: .zero
    ) { _ in kill(getpid(), SIGKILL) },
  ]

  private nonisolated static let errorName = OptionValue<SCStreamError.Code>(
    "the name of an SCStreamError.Code, such as userStopped, systemStoppedStream, insufficientStorage"
  ) { text in SCStreamError.Code.allCases.first { "\($0)" == text } }
}
