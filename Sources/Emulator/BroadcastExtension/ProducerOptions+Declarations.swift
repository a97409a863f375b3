import CommandLineSupport
import EmulatedSystem
import ScreenBroadcast

/// A value that the extension's setup screen gave.
struct SetupValue: Equatable {
  var key: String
  var value: String
}

extension ProducerOptions {
  private static let sound = "What it sounds like"
  private static let broadcast = "How it is broadcast"
  private static let happening = "What happens meanwhile"

  static let appAudio = Option(
    "--app-audio", "SOUND", .sound,
    help:
      "What the apps sound like: tone (with a mark at each second, which 'consumer --verify' checks), silence, "
      + "wav:PATH (a WAV file, again and again), or off.",
    default: "off", group: sound)

  static let microphone = Option(
    "--mic", "SOUND", .sound, help: "What the microphone hears: tone, silence, wav:PATH, or off.",
    default: "off", group: sound)

  static let audioPacket = Option(
    "--audio-packet", "FRAMES",
    OptionValue<Int>("\(EmulatedAudio.defaultFramesPerPacket) or \(EmulatedAudio.oldFramesPerPacket)") {
      text in
      Int(text).flatMap {
        [EmulatedAudio.defaultFramesPerPacket, EmulatedAudio.oldFramesPerPacket].contains($0) ? $0 : nil
      }
    },
    help: "Frames of a packet of app audio: 1024, or 22596 as before iOS 13.", default: "1024",
    group: sound)

  static let slots = Option(
    "--slots", "N", .integer(in: 2...8), help: "Frames the shared ring holds, 2 to 8.", default: "3",
    group: broadcast)

  static let layout = Option<BroadcastLayout>(
    "--layout", "NAME", .choice,
    help:
      "How frames lie between the two programs: ring (every frame whole, and once) or article (the article's "
      + "own single slot that nothing guards, which tears and repeats). The consumer must read the same.",
    default: "ring", group: broadcast)

  /// In bytes; `nil` for no limit.
  static let memoryLimit = Option<UInt64?>(
    "--memory-limit", "MiB",
    OptionValue("a number of MiB from 1 to 1048576, or off") { text in
      if text == "off" { return .some(nil) }
      return OptionValue.number(in: 1...1_048_576).read(text).map { UInt64($0 * 1_048_576) }
    },
    help:
      "The extension's private memory, in MiB, above which it is killed as on a device; off for no limit.",
    default: "50", group: broadcast)

  static let memoryReport = Flag(
    "--memory-report", help: "Report the memory used, against what the extension may use.",
    group: broadcast)

  static let infoPlist = Option(
    "--info-plist", "PATH", .text("a file"),
    help: "The extension's Info.plist, which names the principal class and the process mode.",
    group: broadcast)

  static let setupInfo = RepeatedOption(
    "--setup-info", "KEY=VALUE",
    help: "What the extension's setup screen gave, for broadcastStarted; may be given more than once.",
    group: happening
  ) { text throws(UsageError) in
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageError("--setup-info wants a key and a value, as in 'room=42', not \(text.quoted).")
    }
    return SetupValue(key: parts[0], value: parts[1])
  }

  static let at = RepeatedOption(
    "--at", "TIME EVENT",
    help:
      "Let something happen so long after the launch, as in '--at 2s pause'; may be given more than once. The events "
      + "are listed below.",
    group: happening
  ) { text throws(UsageError) in try ScheduledEvent(text: text) }

  /// The command line of `producer`.
  static let program = makeProgram(
    named: "producer",
    handling:
      "delivers the frames of an emulated screen to a SampleHandler, which shares them with the consumer."
  )

  /// The command line of any extension's program.
  static func program(named name: String) -> Program {
    name == program.name
      ? program
      : makeProgram(
        named: name, handling: "delivers the frames of an emulated screen to the extension's handler.")
  }

  private static func makeProgram(named name: String, handling: String) -> Program {
    Program(
      name: name,
      summary: "\(name) stands in for a broadcast upload extension and for the system that drives it. It "
        + handling,
      usage: ["\(name) [OPTIONS]", "\(name) control EVENT [OPTIONS]"],
      verbs: [
        HelpEntry("broadcast", "Broadcast until somebody ends it. The default."),
        HelpEntry("control", "Let an event happen to the broadcast that is running in the same app group."),
      ],
      options: (ScreenOptions.declarations + [
        appAudio.declaration, microphone.declaration, audioPacket.declaration, slots.declaration,
        layout.declaration, memoryLimit.declaration, memoryReport.declaration, infoPlist.declaration,
        setupInfo.declaration,
        at.declaration,
      ] + CommonOptions.endingDeclarations).map { $0.only(with: ["broadcast"]) } + CommonOptions.declarations,
      operands: [Operand("control", "EVENT", "an event")],
      vocabularies: [
        Program.Vocabulary(
          "Events (--at, control)", DeviceEvent.forms.map { HelpEntry($0.usage, $0.meaning) })
      ],
      examples: [
        HelpEntry(name, "Broadcast colour bars until Ctrl-C:"),
        HelpEntry(
          "\(name) --pattern proof --device iphone-15 --duration 10",
          "Broadcast an iPhone's screen for ten seconds, so that every frame can be verified:"),
        HelpEntry("\(name) --source y4m:clip.y4m --loop", "Broadcast a clip again and again:"),
        HelpEntry(
          "\(name) --app-audio tone --mic wav:speech.wav", "Broadcast with a test tone and a recorded voice:"),
        HelpEntry(
          "\(name) --at 2s rotate:left --at 4s lock --at 5s unlock",
          "Turn the device, then lock it for a second:"),
        HelpEntry(
          "\(name) control error:interrupted", "Have the running extension end with an error of ReplayKit's:"),
      ],
      signals: [
        HelpEntry(
          "SIGINT, SIGTERM",
          "End as the system ends a broadcast: broadcastFinished. A second one does not wait for a handler that hangs."
        ),
        HelpEntry("SIGUSR1", "Pause: broadcastPaused, and no more frames."),
        HelpEntry("SIGUSR2", "Resume: broadcastResumed."),
      ])
  }
}
