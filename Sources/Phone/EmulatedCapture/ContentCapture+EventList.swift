import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenCapture

/// An event that happens to a ScreenCaptureKit capture from outside.
package typealias CaptureEvent = SystemEvent<ContentCapture>

extension ContentCapture: CaptureSystem {
  private typealias Form = CaptureEvent.Form
  private typealias Refusal = EventRefusal

  /// The forms of all events, in the order of `--help`. Events that a broadcast has too have the same names.
  package nonisolated static let eventForms =
    endForms.under(.end) + deviceForms(.isAssumed) + appForms.under(.app)

  private nonisolated static let endForms: [CaptureEvent.Form] = [
    Form(
      "stop", named: "Stop by the person",
      "The person stops the capture at the system's indicator: userStopped, -3817.", endsAfter: .zero
    ) {
      capture throws(Refusal) in
      try capture.end(.userStopped, "The person stopped the capture.")
    },
    Form(
      "error", "NAME", errorName, named: "End with an error",
      "The system stops the stream with this code of SCStreamError, such as systemStoppedStream.",
      endsAfter: { _ in .zero }
    ) { capture, code throws(Refusal) in try capture.end(code, "The system stopped the stream.") },
    Form(
      "lock", "The person locks the device: userStopped, -3817.", endsAfter: .zero
    ) {
      capture throws(Refusal) in
      defer { capture.device.change { $0.isLocked = true } }
      try capture.end(.userStopped, "The device was locked.")
    },
    Form(
      "lock:pause", named: "Lock and pause",
      "The device is locked, and no sample comes until it is unlocked.",
      .isAssumed
    ) {
      capture throws(Refusal) in
      guard capture.pause(for: .lock) else { throw Refusal("The device is locked already.") }
      capture.device.change { $0.isLocked = true }
    },
    Form("unlock", "The device is unlocked.", .isAssumed) { capture throws(Refusal) in
      guard capture.device.state.isLocked else { throw Refusal("The device is not locked.") }
      capture.device.change { $0.isLocked = false }
      capture.resume(from: .lock)
    },
  ]

  private nonisolated static let appForms: [CaptureEvent.Form] = [
    Form(
      "background", named: "Home",
      "The app leaves the screen: without screen-capture in UIBackgroundModes the stream ends, -3824."
    ) { capture throws(Refusal) in try capture.enterBackground() },
    Form("foreground", named: "Open the app", "The app returns.") { capture throws(Refusal) in
      try capture.enterForeground()
    },
    Form(
      "still", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest), named: "Rest",
      first: .seconds(2),
      "The screen does not change for this time: samples with the status idle.", .isAssumed
    ) { capture, time in capture.stillUntil = capture.time.clock.now + time },
    Form(
      "protected", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest),
      named: "Protected content",
      first: .seconds(2),
      "The screen shows protected content for this time: black frames with the status blank."
    ) { capture, time in capture.screen.protectedUntil = capture.time.clock.now + time },
    Form("start-again", "The app shows the picker again.") { $0.requestStart() },
    Form(
      "kill", named: "Swipe the app away", "The person swipes the app away: SIGKILL.",
      [.needsProcess, .stopsApp], endsAfter: .zero
    ) { _ in kill(getpid(), SIGKILL) },
  ]

  private nonisolated static let errorName = OptionValue<SCStreamError.Code>(
    "the name of an SCStreamError.Code, such as userStopped, systemStoppedStream, insufficientStorage",
    field: .choice(SCStreamError.Code.allCases.map { "\($0)" })
  ) { text in SCStreamError.Code.allCases.first { "\($0)" == text } }
}
