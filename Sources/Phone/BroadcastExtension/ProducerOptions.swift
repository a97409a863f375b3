import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import ReplayKitCore
import RunReports
import ScreenBroadcast
import SharedMemory

/// The options of `producer` and of other extension programs.
package struct ProducerOptions: OptionGroup {
  /// The event of the subcommand `control`; `nil` to broadcast.
  var control: DeviceEvent?
  /// Whether to print the handler for `broadcast check` instead of broadcasting.
  var describes = false
  var common = CommonOptions()
  var limits = LimitOptions()
  package var screen = ScreenOptions()
  /// Silence, because Apple documents that buffers of all types come throughout a broadcast, even if nothing plays.
  var appAudio = AudioSource.silence
  /// Off until the person turns the microphone on in the picker.
  var microphone = AudioSource.off
  /// The slots of the frame ring.
  var slots = BroadcastConfiguration.standardSlotCount
  var layout = BroadcastLayout.ring
  /// The private memory above which the extension is killed, in bytes; `nil` for no limit.
  var memoryLimit: UInt64? = Device.usualMemoryLimit
  /// How long a call of the handler may be open when the broadcast is to end.
  var hangTimeout = Duration.seconds(30)
  var infoPlist: String?
  var entitlements: String?
  /// The values of the extension's setup screen.
  package var setupInfo: [String: String] = [:]
  var schedule: [ScheduledEvent] = []
  package var trace = TraceOptions()
  var report = ReportOptions()

  package init() {}

  private static let audio: [Option<Self>] = [
    .value(
      "--app-audio", "SOURCE", .choice, \.appAudio,
      help:
        "App audio: tone (with a mark each second for 'consumer --verify'), silence (no app plays), "
        + "or off."),
    .value(
      "--mic", "SOURCE", .choice, \.microphone,
      help:
        "Microphone audio: tone, silence, or off (the person did not turn the microphone on)."),
  ].under("Audio")

  private static let broadcast: [Option<Self>] = [
    .value(
      "--slots", "N", .integer(in: RingLayout.slotCounts), \.slots,
      help:
        "The number of frames in the shared ring, \(RingLayout.slotCounts.lowerBound) to \(RingLayout.slotCounts.upperBound)."
    ),
    .value(
      "--layout", "NAME", .choice, \.layout,
      help:
        "The layout of the shared frames: ring (each frame arrives intact and once) or article (the article's "
        + "single slot without synchronization, where frames tear and repeat). The consumer must use the same layout."
    ),
    .value(
      "--memory-limit", "MiB",
      OptionValue(
        "a number of MiB from 1 to 1048576, or off", text: { $0.map { "\($0 / 1_048_576)" } ?? "off" },
        read: { text in
          if text == "off" { return .some(nil) }
          return OptionValue.number(in: 1...1_048_576).read(text).map { UInt64($0 * 1_048_576) }
        }), \.memoryLimit,
      help:
        "Kill the extension, as a device does, above this much private memory (MiB); off for no limit."
    ),
    .value(
      "--hang-timeout", "TIME", .seconds(in: .seconds(1)...CommonOptions.longest), \.hangTimeout,
      help:
        "How long a call of the handler may be open when the broadcast is to end; then the program ends with exit code 76. "
        + "The program checks after 1 s and every 5 s."),
    .value(
      "--info-plist", "PATH", .text("a file"), \.infoPlist,
      help: "The extension's Info.plist, with the principal class and the process mode."),
    .value(
      "--entitlements", "PATH", .text("a file"), \.entitlements,
      help: "The extension's entitlements. App groups that they do not list have no container.",
      default: "all app groups are granted"),
    .repeated(
      "--permission", "NAME:ANSWER",
      help:
        "The person's earlier answer to the app: photos, notifications or microphone, with granted or denied (default: all granted)."
    ) { text, options throws(UsageError) in try options.screen.permit(text) },
  ].under("How it is broadcast")

  private static let events: [Option<Self>] = [
    .repeated(
      "--setup-info", "KEY=VALUE",
      help: "A value of the extension's setup screen, for broadcastStarted; may be given more than once."
    ) { text, options throws(UsageError) in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw UsageError("--setup-info expects a key and a value, as in 'room=42', not \(text.quoted).")
      }
      options.setupInfo[parts[0]] = parts[1]
    },
    .repeated(
      "--at", "TIME EVENT",
      help:
        "Trigger an event at a time after the launch, as in '--at 2s pause'; may be given more than once. The "
        + "events are listed below."
    ) { text, options throws(UsageError) in options.schedule.append(try ScheduledEvent(text: text)) },
  ].under("Events during the broadcast")

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    try screen.finish(invocation)
    try trace.finish(invocation)
    if trace.replayed != nil, let event = schedule.first(where: { $0.event.traits.contains(.ofTrace) })?.event
    {
      throw UsageError(
        "'--at … \(event.text)' cannot be combined with --trace, which already determines this.")
    }
    try report.finish(invocation)
    describes = invocation.subcommand == HandlerEvent.event
    control = if let operand = invocation.operand { try DeviceEvent(text: operand) } else { nil }
    if layout == .article, invocation.has("--slots") {
      throw UsageError("--slots cannot be combined with the layout 'article', which has one slot.")
    }
  }

  package var namedFiles: [NamedFile] {
    [
      .prints("--json", common.json), .reads("--info-plist", infoPlist),
      .reads("--entitlements", entitlements),
    ] + screen.namedFiles + trace.namedFiles + report.namedFiles
  }

  /// The audio streams, app audio first; empty if a trace is replayed, because a trace has its own audio.
  @MainActor
  package var audio: [EmulatedAudio] {
    guard trace.replayed == nil else { return [] }
    return [
      appAudio.stream(.audioApp, frequency: 440, ios: screen.ios),
      microphone.stream(.audioMic, frequency: 330, ios: screen.ios),
    ].compactMap { $0 }
  }

  /// Parses the command line of `producer`, without the program's name.
  package static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineRequest<Self> {
    try program.request(arguments)
  }

  package static let program = program(named: "producer")

  /// Returns the command line of an extension's program.
  static func program(named name: String) -> Program<Self> {
    let receiver =
      name == "producer"
      ? "a SampleHandler that shares them with the consumer" : "the extension's handler"
    let broadcastOptions =
      ScreenOptions.options.inside(\.screen) + audio + TraceOptions.options.inside(\.trace)
      + broadcast
      + events
      + LimitOptions.options.inside(\.limits)
    // The options that choose the handler.
    let launchOptions = ["--info-plist"]
    var common: [Option<Self>] = (CommonOptions.sharing + CommonOptions.printing).inside(\.common)
    for index in common.indices where common[index].declaration.name != "--quiet" {
      common[index].declaration.subcommands = ["broadcast", "control"]
    }
    return Program(
      name: name,
      summary:
        "\(name) emulates a broadcast upload extension and the system that runs it. It delivers the frames "
        + "of an emulated screen to \(receiver).",
      usage: ["\(name) [broadcast] [OPTIONS]", "\(name) control EVENT [OPTIONS]", "\(name) handler"],
      subcommands: [
        HelpEntry("broadcast", "Broadcast until a signal, an event or a limit ends it. The default."),
        HelpEntry("control", "Trigger an event in the running broadcast of the same app group."),
        HelpEntry(HandlerEvent.event, "Describe the handler for 'broadcast check'."),
      ],
      options: broadcastOptions.map { option in
        var option = option
        if launchOptions.contains(option.declaration.name) {
          option.declaration.subcommands = ["broadcast", HandlerEvent.event]
        }
        return option
      }.only(with: ["broadcast"])
        + ReportOptions.options.inside(\.report).only(with: ["broadcast"])
        + common,
      operands: [
        Operand("control", "EVENT", "an event")
      ],
      vocabularies: ["Events (--at, control)": DeviceEvent.forms.map { HelpEntry($0.usage, $0.meaning) }],
      examples: [
        HelpEntry(name, "Broadcast until Ctrl-C:"),
        HelpEntry("\(name) --pattern proof --device iphone-15", "An iPhone, with frames to verify:"),
        HelpEntry("\(name) --at 2s rotate:left --at 9s stop", "Rotate the device, then stop:"),
        HelpEntry("\(name) control pause", "Pause the running broadcast:"),
        HelpEntry("\(name) --source y4m:clip.y4m --loop", "Broadcast a clip repeatedly:"),
        HelpEntry("\(name) --app-audio tone --mic tone", "Broadcast with sound:"),
        HelpEntry(
          "\(name) --at 2s rotate:left --at 5s lock",
          "Rotate the device, then lock it to end the broadcast:"),
        HelpEntry(
          "\(name) --trace phone.jsonl --record-trace recorded.jsonl",
          "Replay a phone's trace, and record the calls of the handler:"),
        HelpEntry("\(name) handler", "Describe the handler for 'broadcast check':"),
        HelpEntry(
          "\(name) control error:interrupted", "End the running broadcast with an error of ReplayKit:"),
      ],
      mostUsed: [
        "--pattern", "--device", "--fps", "--app-audio", "--at", "--duration", "--report", "--container",
        "--json",
      ],
      elsewhere: [
        "watch": ["consumer"], "capture": ["capturer"], "start": ["consumer start"],
        "stop": ["consumer stop"],
        "status": ["consumer status"], "doctor": ["broadcast doctor"],
        "check": ["broadcast check"], "import": ["broadcast import"],
        "--verify": ["consumer --verify"], "--once": ["consumer --once"], "--serve": ["consumer --serve"],
        "serve": ["consumer --serve"], "--port": ["consumer --serve=PORT"],
        "--snapshot": ["consumer --snapshot"], "--y4m": ["consumer --y4m"],
      ],
      signals: [
        HelpEntry(
          "SIGINT, SIGTERM, SIGHUP",
          "End as the system ends a broadcast: broadcastFinished. A second signal, at least 1 s later, does not wait for a handler or a main thread that hangs; one signal is enough after --hang-timeout."
        ),
        HelpEntry("SIGUSR1", "Pause: broadcastPaused, and no more frames."),
        HelpEntry("SIGUSR2", "Resume: broadcastResumed."),
      ])
  }
}
