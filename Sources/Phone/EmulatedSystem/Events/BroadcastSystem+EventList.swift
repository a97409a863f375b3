import Causes
import CommandLineSupport
import Dispatch
import EmulatedDevice
import Foundation
import Platform
import ReplayKitCore
import ScreenBroadcast

extension BroadcastSystem: EventSystem {
  private typealias Form = DeviceEvent.Form
  private typealias Refusal = EventRefusal

  private nonisolated static let socketFault = Form(
    "socket", "FAULT",
    "The handler's connections (TCP or Unix sockets) get this fault of toxiproxy: latency, bandwidth, slicer, timeout, reset_peer or limit_data, with attributes; none removes all faults.",
    SocketFault.actions
  ) { text throws(UsageError) in
    let fault = text == "none" ? nil : try SocketFault(text: text)
    return DeviceEvent(
      text: "socket:\(text)", name: fault?.kind.action.name ?? SocketFault.endName, traits: .beforeStart,
      effect: fault == nil ? .none : .makes(.network, .ended)
    ) { system throws(Refusal) in try system.apply(fault) }
  }

  /// The forms of all events, in the order of `--help`.
  package nonisolated static let eventForms =
    phoneForms + deviceForms() + appForms.under(.app) + frameForms.under(.frames) + soundForms.under(.sound)
    + memoryForms.under(.memoryAndTime) + connectionForms.under(.connection) + endForms.under(.end)

  private nonisolated static let phoneForms: [DeviceEvent.Form] = [
    Form(
      "pause", "The person pauses: broadcastPaused, and no samples.", [.unreported, .ofTrace]
    ) {
      system throws(Refusal) in
      try system.pause(for: .person, orRefuse: "The broadcast is paused already.")
    },
    Form("resume", "The person resumes: broadcastResumed.", [.unreported, .ofTrace]) {
      system throws(Refusal) in
      guard system.resume(from: .person) else { throw Refusal("The broadcast is not paused.") }
    },
    Form(
      "indicator", "ANSWER", OptionValue<BroadcastSystem.IndicatorAnswer>.choice,
      named: "Tap the red indicator",
      "The person taps the recording indicator: a pause, and a second later the end (stop) or a resume (cancel).",
      .ofTrace, endsAfter: { $0 == .stop ? .seconds(1) : nil }
    ) { system, answer throws(Refusal) in try system.askWhetherToStop(answer) },
    Form("lock", "The device is locked: broadcastFinished, as phones do.", endsAfter: .zero) { system in
      system.end(.bySystem)
    },
    Form(
      "lock:pause", named: "Lock and pause",
      "The device is locked, and the broadcast pauses until it is unlocked. Video encoders become invalid.",
      .ofTrace
    ) {
      system throws(Refusal) in
      try system.pause(for: .lock, orRefuse: "The device is locked already.")
      system.device.change { $0.isLocked = true }
    },
    Form("unlock", "The device is unlocked after lock:pause.", .ofTrace) { system throws(Refusal) in
      guard system.device.state.isLocked else { throw Refusal("The device is not locked.") }
      system.device.change { $0.isLocked = false }
      system.resume(from: .lock)
    },
    Form(
      "annotate", "ID", bundleIdentifier, named: "Open the first app", first: "com.example.game",
      "The person opens the first app of a broadcast started from Control Centre: broadcastAnnotated, once.",
      .ofTrace
    ) { system, identifier throws(Refusal) in
      guard !system.isAnnotated else {
        throw Refusal("broadcastAnnotated was called already: it names the first app only.")
      }
      system.annotate(identifier)
    },
  ]

  private nonisolated static let appForms: [DeviceEvent.Form] = PhoneApp.Event.allCases.map { event in
    let (name, meaning) = event.words
    return Form(
      "app:\(event.rawValue)", named: name, meaning,
      event.stopsApp ? [.needsProcess, .stopsApp] : .needsProcess,
      effect: event == .foreground ? .none : .makes(.appSuspended)
    ) { system throws(Refusal) in try system.perform(event) }
  }

  private nonisolated static let frameForms: [DeviceEvent.Form] = [
    Form(
      "rate", "N", .number(in: 1...240), named: "Frame rate", first: 30,
      "The frame rate from now on, 1 to 240 frames per second.",
      .ofTrace
    ) {
      system, rate in system.setRate(rate)
    },
    Form(
      "still", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest), named: "Rest",
      first: .seconds(2),
      "The screen does not change for this time: no frames.", .ofTrace,
      effect: { .makes(.idleScreen, for: $0) }
    ) { system, time in system.pacing.stillUntil = system.time.clock.now + time },
    Form(
      "resize", "WxH", .evenSize(in: 16...8192), first: PixelSize(width: 408, height: 886),
      "The frames have this size from now on (patterns only), such as 408x886 for a landscape game.", .ofTrace
    ) { system, size throws(Refusal) in
      let isResized: Bool
      do { isResized = try system.screen.resize(to: size) } catch { throw Refusal("\(error).") }
      guard isResized else { throw Refusal("A clip has a fixed size; use a pattern.") }
    },
    Form(
      "protected", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest),
      named: "Protected content", first: .seconds(2),
      "The screen shows protected content for this time: the frames are black, and audio continues."
    ) { system, time in system.screen.protectedUntil = system.time.clock.now + time },
    Form(
      "skip", "N", .integer(in: 1...10_000), named: "Skip frames", first: 30,
      "The system skips the next N frames, and counts them as dropped.",
      .ofTrace
    ) {
      system, count in system.pacing.framesToSkip = count
    },
    Form(
      "burst", "N", .integer(in: 2...240), first: 10,
      "The next N frames arrive together when the last is due; frames that do not fit the queue are dropped.",
      .ofTrace
    ) { system, count in system.pacing.burstSize = count },
    Form(
      "repeat", "N", .integer(in: 1...10_000), named: "Repeat pictures", first: 30,
      "The next N frames repeat the picture of the frame before, as if an app drew it again (patterns only).",
      .ofTrace
    ) { system, count throws(Refusal) in
      guard system.screen.content.canRepeat else {
        throw Refusal("A clip cannot repeat a frame; use a pattern.")
      }
      system.screen.repeats = count
    },
    Form(
      "overlap", "N", .integer(in: 1...10_000), named: "Draw over", first: 30,
      "The next N frames are overwritten while the handler reads them in its call: parts of the following frame appear at random moments. This does not happen while the handler holds an earlier sample, or during the work of a pixel transfer, Core Image or an encoder.",
      effect: { _ in .makes(.torn) }
    ) { system, count in system.screen.overlaps.remaining = count },
    Form(
      "empty", "N", .integer(in: 1...10_000), named: "Empty samples", first: 5,
      "The next N video samples are invalid, not ready, and have no image buffer.", .ofTrace
    ) { system, count in system.screen.emptySamples = count },
    Form(
      "pad-chroma", "BYTES", .integer(in: 0...4096, unit: "bytes"), named: "Longer chroma rows", first: 64,
      "Chroma rows are this much longer than luma rows from now on, 0 to 4096 bytes, as on some devices.",
      .ofTrace
    ) { system, count throws(Refusal) in
      do { try system.screen.padChroma(by: count) } catch { throw Refusal("\(error).") }
    },
  ]

  private nonisolated static let soundForms: [DeviceEvent.Form] = [
    Form(
      "audio-ends", "STREAM", OptionValue<BroadcastSystem.AudioStream>.choice,
      "An audio stream stops: mic or app. At 0s, it never starts.",
      [.ofTrace, .beforeStart]
    ) { system, stream throws(Refusal) in try system.end(stream) },
    Form(
      "audio-starts", "STREAM", OptionValue<BroadcastSystem.AudioStream>.choice,
      "An audio stream that has stopped starts again.", .ofTrace
    ) { system, stream throws(Refusal) in try system.start(stream) },
  ]

  private nonisolated static let memoryForms: [DeviceEvent.Form] = [
    Form(
      "slow", "SECONDS", .seconds(in: .zero...(.seconds(60))), named: "Slow handler",
      first: .milliseconds(50),
      "Every call of the handler takes this much longer from now on (0 to 60 s); at 0s, broadcastStarted does too.",
      .beforeStart, effect: { $0 > .zero ? .makes(.slow) : .none }
    ) { system, time in system.delivery.delay = time },
    Form(
      "allocate", "MiB", .integer(in: 1...65_536, unit: "MiB"), named: "Take memory", first: 60,
      "The extension allocates this much memory and keeps it, 1 to 65536 MiB. Above --memory-limit it is killed.",
      .needsProcess, effect: { _ in .makes(.killed, .leak) }
    ) { _, mebibytes in
      // Allocate on another thread, so that the memory grows even while the handler is busy.
      DispatchQueue.global().async { ExtensionMemory.allocate(mebibytes << 20) }
    },
    Form(
      "suspend", "SECONDS", .seconds(in: .milliseconds(1)...(.seconds(600))), named: "Suspend the extension",
      first: .seconds(3), "The extension's process is suspended for this time, and then continues.",
      .needsProcess, effect: { .makes(.suspended, for: $0) }
    ) { _, time throws(Refusal) in
      // A suspended process cannot wake itself.
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c", "kill -STOP $0; sleep $1; kill -CONT $0", "\(getpid())", time.decimalSeconds,
      ]
      // Detach the shell, so that readers of our output do not wait for it.
      (shell.standardOutput, shell.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      do { try ProcessLauncher.run(shell) } catch { throw Refusal("\(error.reasonText).") }
    },
  ]

  private nonisolated static let connectionForms: [DeviceEvent.Form] = [
    socketFault,
    Form(
      "notifications", "HOW", .choice,
      "Darwin notifications that the extension posts or observes are from now on lost, late (by a second), doubled, coalesced (all of half a second arrive as one), unheard (all of the next second find no observer), or normal.",
      .beforeStart
    ) { system, delivery in CFNotificationCenter.darwinNotifyCenter(of: system.device).delivery = delivery },
  ]

  private nonisolated static let endForms: [DeviceEvent.Form] = [
    Form(
      "stop", named: "Stop by the person", "The person ends the broadcast: broadcastFinished.", .unreported,
      endsAfter: .zero
    ) {
      system in
      system.end(.bySystem)
    },
    Form(
      "finish", "The extension ends the broadcast without an error: finishBroadcastGracefully.", .unreported,
      endsAfter: .zero, effect: .makes(.ended)
    ) { system in system.delivery.callConcurrently("finishBroadcast") { finishBroadcastGracefully($0) } },
    Form(
      "error", "NAME", errorName, named: "End with an error",
      "The extension ends the broadcast with this error of RPRecordingErrorDomain, such as interrupted.",
      .unreported, endsAfter: { _ in .zero }, effect: { _ in .makes(.ended, .refused) }
    ) { system, code in
      let error = code.error("The broadcast ended: \(code)")
      // Use a thread of the extension, so that the broadcast can end even while it starts.
      system.delivery.callConcurrently("finishBroadcast") { $0.finishBroadcastWithError(error) }
    },
    Form(
      "replayd-crash", "SECONDS", .seconds(in: .zero...(.seconds(60))), named: "replayd crashes",
      first: .seconds(2),
      "The system's replayd crashes: no samples and no callback, and SIGKILL after this time (0 to 60 s).",
      .needsProcess, endsAfter: { $0 }, effect: { _ in .makes(.crashed) }
    ) { system, delay throws(Refusal) in try system.crashReplayd(endingAfter: delay) },
    Form(
      "crash", "The extension's process crashes without a callback: SIGKILL.", [.unreported, .needsProcess],
      endsAfter: .zero, effect: .makes(.crashed)
    ) { system in
      FileHandle.standardError.write(Data("A phone shows: \"\(system.dialog.textOfCrash)\"\n".utf8))
      kill(getpid(), SIGKILL)
    },
  ]

  /// The text reaches logs, traces and command lines that people copy, so only the characters of Apple's identifiers are
  /// allowed.
  private nonisolated static let bundleIdentifier = OptionValue<String>(
    "the bundle identifier of an app, such as 'com.example.game': letters, digits, hyphens and periods"
  ) { text in
    let isAllowed =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == ".")
      }
    return isAllowed ? text : nil
  }

  private nonisolated static let errorName = OptionValue<RPRecordingErrorCode>(
    "the name of an RPRecordingErrorCode, such as userDeclined, failed, interrupted, systemDormancy, activePhoneCall",
    field: .choice(errorNames)
  ) { text in
    errorNames.contains(text) ? RPRecordingErrorCode.allCases.first { "\($0)" == text } : nil
  }

  private nonisolated static let errorNames =
    RPRecordingErrorCode.allCases.filter { $0 != .codeSuccessful }.map { "\($0)" }
}
