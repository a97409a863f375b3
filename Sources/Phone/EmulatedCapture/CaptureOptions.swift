import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import ReplayKit
import ScreenBroadcast
import ScreenCapture

/// The framework with which an app captures its screen.
package enum CaptureFramework: String, CaseIterable {
  /// `RPScreenRecorder`: the app's own screen.
  case replaykit
  /// `SCStream` (iOS 27 and later): the whole display or the app.
  case screencapturekit
}

/// The options of `capture`: the screen, and the events of the capture.
package struct CaptureOptions: OptionGroup {
  package var framework = CaptureFramework.replaykit
  package var screen = ScreenOptions()
  /// The answer to the app's request to the recorder; `nil` if the command line has none.
  package var permission: CapturePermission?
  package var behaviour = ContentCapture.Behaviour()
  private var events: [String] = []

  package init() {}

  package private(set) var recorderSchedule: [ScheduledSystemEvent<InAppCapture>] = []
  package private(set) var streamSchedule: [ScheduledSystemEvent<ContentCapture>] = []

  /// Creates the system of a new app, and installs it behind the shared recorder or picker. By default, the screen of
  /// ScreenCaptureKit has the device's native size.
  ///
  /// - Parameters:
  ///   - content: the sound that is both played and recorded; `nil` for silence.
  ///   - signals: receives the events of an app's signals, while the events of `--at` are performed; `nil` for no events.
  @MainActor
  package func makeSystem(
    on device: Device, time: DeviceTime = DeviceTime(), content: AudioContent? = nil,
    signals: SignalSources? = nil, onEvent: @escaping @MainActor (CaptureUpdate) -> Void
  ) throws(ProgramFailure) -> any CaptureSystem {
    switch framework {
    case .replaykit:
      let system = InAppCapture(
        on: device, screen: try screen.makeScreen(),
        audio: [RPSampleBufferType.audioApp, .audioMic].map { EmulatedAudio(type: $0, content: content) },
        permission: permission ?? .granted, time: time, onEvent: onEvent)
      system.install()
      if let signals { system.lead(recorderSchedule, signals) }
      return system
    case .screencapturekit:
      var options = screen
      options.showsNativeSize()
      let system = ContentCapture(
        on: device, screen: try options.makeScreen(), behaviour: behaviour, content: content, time: time,
        onEvent: onEvent)
      SCContentSharingPicker.shared.reset()
      system.install()
      if let signals { system.lead(streamSchedule, signals) }
      return system
    }
  }

  /// The events that a help lists for each framework.
  package static let vocabularies = [
    "Events (--at) with --framework replaykit": InAppCapture.eventForms.map {
      HelpEntry($0.usage, $0.meaning)
    },
    "Events (--at) with --framework screencapturekit": ContentCapture.eventForms.map {
      HelpEntry($0.usage, $0.meaning)
    },
  ]

  /// All options except the choice of the framework.
  package static let options = answering + ScreenOptions.options.inside(\.screen) + phone + happening

  package static let choosing: [Option<Self>] = [
    .value(
      "--framework", "NAME", .choice, \.framework,
      help:
        "How the app captures: replaykit (RPScreenRecorder, the app's own screen) or screencapturekit (SCStream of "
        + "iOS 27, by default at the device's native size).")
  ].under("The app")

  private static let phone: [Option<Self>] = [
    .value(
      "--background-modes", "NAMES", .choice, \.behaviour.backgroundModes,
      help: "The app's UIBackgroundModes for screencapturekit: all, screen-capture, audio or none."),
    .flag(
      "--no-idle", \.hidesIdle,
      help:
        "While the screen is unchanged, screencapturekit delivers nothing instead of samples with the status idle. "
        + "The behaviour of a phone is not known."),
    .flag(
      "--picker-microphone", \.behaviour.turnsMicrophoneOn,
      help: "The person turns the microphone on in the picker of screencapturekit."),
  ].under("The phone with ScreenCaptureKit")

  private static let answering: [Option<Self>] = [
    .repeated(
      "--permission", "NAME",
      help:
        "The answer to the app's request to record with replaykit: granted, denied (the person declines), withoutMicrophone (the screen alone), disabled (recording is "
        + "switched off on the device), call (a phone call is active), fails (the system cannot start it: -5833), "
        + "unanswered (the completion handler is never called) or stopUnanswered (the completion handler of a stop is never called). Default: granted. Or the answer to another request: "
        + "photos, notifications or microphone with granted or denied, as in photos:denied."
    ) { text, options throws(UsageError) in
      guard !text.contains(":") else { return try options.screen.permit(text) }
      options.permission = try OptionValue.choice.value(of: text, for: "--permission")
    },
    .value(
      "--picker", "ANSWER", .choice, \.behaviour.answer,
      help:
        "The result of the picker of screencapturekit: display, app (the app alone), cancel, declined (-3801), fails (it "
        + "cannot be shown), or unanswered."),
    .value(
      "--picker-delay", "TIME", .seconds(in: .zero...CommonOptions.longest), \.behaviour.answerDelay,
      help: "How long the person takes to answer the picker."),
  ].under("The person")

  private static let happening: [Option<Self>] = [
    .repeated(
      "--at", "TIME EVENT",
      help:
        "Trigger an event at a time after the start, as in '--at 2s background'; may be given more than once. The "
        + "events are listed below."
    ) { text, options in options.events.append(text) }
  ].under("Events during the capture")

  private var hidesIdle: Bool {
    get { !behaviour.deliversIdle }
    set { behaviour.deliversIdle = !newValue }
  }

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    try screen.finish(invocation)
    switch framework {
    case .replaykit:
      for name in ["--background-modes", "--no-idle", "--picker", "--picker-delay", "--picker-microphone"]
      where invocation.has(name) {
        throw UsageError("\(name) is for ScreenCaptureKit; use --framework screencapturekit.")
      }
      // Frames of the recorder have no orientation.
      guard !invocation.has("--orientation") else {
        throw UsageError("--orientation is for ScreenCaptureKit; use --framework screencapturekit.")
      }
      recorderSchedule = try Self.schedule(of: events, else: ContentCapture.self, of: .screencapturekit)
    case .screencapturekit:
      guard permission == nil else {
        throw UsageError("--permission is for ReplayKit; use --picker, or --framework replaykit.")
      }
      screen.showsNativeSize()
      guard !invocation.has("--ios") else {
        throw UsageError(
          "--ios is for ReplayKit only: ScreenCaptureKit is always emulated as in iOS 27. Leave --ios out.")
      }
      screen.ios = .streaming
      streamSchedule = try Self.schedule(of: events, else: InAppCapture.self, of: .replaykit)
    }
  }

  /// Parses the events of a framework. If only the other framework has an event, the error names that framework.
  private static func schedule<System: EventSystem, Other: EventSystem>(
    of events: [String], else other: Other.Type, of framework: CaptureFramework
  ) throws(UsageError) -> [ScheduledSystemEvent<System>] {
    var schedule: [ScheduledSystemEvent<System>] = []
    for text in events {
      do throws(UsageError) { schedule.append(try ScheduledSystemEvent(text: text)) } catch {
        let words = text.split(separator: " ", maxSplits: 1)
        let event = words.count == 2 ? String(words[1]) : ""
        guard !SystemEvent<System>.knows(event), SystemEvent<Other>.knows(event) else { throw error }
        throw UsageError(
          "\(event.quoted) is an event of \(framework.rawValue); use --framework \(framework.rawValue).")
      }
    }
    return schedule
  }

  package var namedFiles: [NamedFile] { screen.namedFiles }
}
