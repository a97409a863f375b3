import CommandLineSupport
import ContainingApp
import EmulatedSystem
import ScreenBroadcast

extension ConsumerOptions {
  private static let watching = ["watch"]
  private static let broadcasting = ["watch", "start", "stop", "status"]
  private static let sharing = ["watch", "start", "stop", "status", "doctor"]
  private static let showing = ["watch", "capture"]
  private static let capturing = ["capture"]
  private static let call = "What enters the call (watch, capture)"
  private static let outputs = "Where the frames go besides (watch, capture)"
  private static let events = "What happens to the capture (capture)"
  private static let pace = "Pace and patience"
  private static let starting = "What is started (start)"
  private static let mending = "What is mended (doctor)"

  static let wait = Option(
    "--wait", "SECONDS", .seconds(in: .zero...CommonOptions.longest),
    help: "How long to wait for what was asked for, 0 to 1000000; then exit with 69.",
    default: "10 for start and stop, 0 for status, for ever for watch", group: pace, onlyWith: broadcasting)

  static let statusInterval = Option(
    "--status-interval", "SECONDS", .seconds(in: .milliseconds(10)...(.seconds(60))),
    help: "The time between two looks at the status, 0.01 to 60.", default: "0.5", group: pace,
    onlyWith: broadcasting)

  static let pollFPS = Option(
    "--poll-fps", "N", .number(in: 1...240),
    help: "Looks for a new frame a second, 1 to 240, decimals allowed.", default: "30", group: call,
    onlyWith: watching)

  static let wake = Option<BroadcastFrameSignal.Mode>(
    "--wake", "MODE", .choice,
    help:
      "Take each frame, and each change of the status, as soon as it comes, instead of at the next look. wake "
      + "sleeps until then; early sleeps until just before the next frame is due and then watches, for some percent "
      + "of a core.",
    impliedValue: "wake", group: call, onlyWith: watching)

  static let lease = Flag(
    "--lease", help: "Hold frames in place instead of copying them.", group: call, onlyWith: watching)

  static let layout = Option<BroadcastLayout>(
    "--layout", "NAME", .choice,
    help:
      "How frames lie between the two programs: ring, or article, the article's own single slot that nothing "
      + "guards. The producer must write the same. Of article every look takes what is in the slot, new or not.",
    default: "ring", group: call, onlyWith: watching)

  static let outputSize = Option(
    "--output-size", "WxH",
    OptionValue<OutputSize>("native or \(OptionValue<Size>.evenSize(in: 16...8192).expectation)") { text in
      if text == "native" { return .native }
      guard let size = OptionValue<Size>.evenSize(in: 16...8192).read(text) else { return nil }
      return .fixed(width: size.width, height: size.height)
    },
    help: "The size of the frames in pixels, both sides even, 16 to 8192; or native, the screen's own.",
    default: "1080x720", group: call, onlyWith: showing)

  static let fit = Option<PictureFit>(
    "--fit", "NAME", .choice,
    help: "How the screen gets into that size: crop (fill and cut, as WebRTC does) or contain (keep all of "
      + "it, with bars).",
    default: "crop", group: call, onlyWith: showing)

  static let verify = Flag(
    "--verify",
    help:
      "Check every frame against the proof pattern, and that no sound is lost or out of step; exit with 65 if "
      + "anything is not whole.",
    group: call, onlyWith: showing)

  static let y4m = Option<VideoDestination>(
    "--y4m", "PATH",
    OptionValue("a file, or - for standard output") { text in
      text.isEmpty ? nil : text == "-" ? .standardOutput : .file(path: text)
    },
    help: "Write the frames as YUV4MPEG2; with -, to standard output, and messages to standard error.",
    group: outputs, onlyWith: showing)

  static let wav = Option(
    "--wav", "PATH", .text("a file, or - for standard output"),
    help: "Write app audio as a WAV file, with silence where nothing came; with -, to standard output.",
    group: outputs, onlyWith: watching)

  static let micWav = Option(
    "--mic-wav", "PATH", .text("a file, or - for standard output"),
    help: "Write the microphone as a WAV file, in the same way.", group: outputs, onlyWith: watching)

  static let snapshot = Option(
    "--snapshot", "PATH", .text("a file"), help: "Write a frame as a PNG file.",
    group: outputs, onlyWith: showing + ["inspect"])

  static let preview = Flag(
    "--preview", help: "Draw the picture in the terminal.", group: outputs, onlyWith: showing)

  static let once = Flag(
    "--once", help: "End when the first broadcast has ended.", group: CommonOptions.ending,
    onlyWith: watching)

  static let producer = Option(
    "--producer", "PATH", .text("a program"), help: "The program to launch.",
    default: "the producer beside this program", group: starting, onlyWith: ["start"])

  static let `extension` = Option(
    "--extension", "ID", .text("a bundle identifier"),
    help: "The extension to launch, by its bundle identifier, as an app asks the system's picker for it.",
    default: "the only one in --extensions", group: starting, onlyWith: ["start"])

  static let extensions = Option(
    "--extensions", "DIR", .text("a folder"),
    help:
      "The installed extensions: a folder of bundles 'Name.appex'. One of them is launched, and no --producer.",
    default: "$BROADCAST_EXTENSIONS, else none", group: starting, onlyWith: ["start"])

  static let microphone = Flag(
    "--microphone",
    help:
      "The app shows the picker's button for the microphone, and the person turns it on: the extension gets "
      + "--mic tone, unless another --mic stands after '--'.",
    group: starting, onlyWith: ["start"])

  static let permission = Option<CapturePermission>(
    "--permission", "NAME", .choice,
    help:
      "What the app's wish to capture meets: granted, denied (the person declines), disabled (recording is "
      + "switched off on the device), or call (a phone call is active).",
    default: "granted", group: events, onlyWith: capturing)

  static let background = Option(
    "--background", "SECONDS", .seconds(in: .zero...CommonOptions.longest),
    help: "The app goes to the background so long after its start, 0 to 1000000; SIGUSR2 brings it back.",
    group: events, onlyWith: capturing)

  static let interrupt = Option(
    "--interrupt", "SECONDS", .seconds(in: .zero...CommonOptions.longest),
    help: "Another app takes the recorder so long after the start, 0 to 1000000; then exit with 76.",
    group: events, onlyWith: capturing)

  static let startAgain = Option(
    "--start-again", "SECONDS", .seconds(in: .zero...CommonOptions.longest),
    help:
      "The app starts a second capture so long after the first, 0 to 1000000, which is refused while that runs.",
    group: events, onlyWith: capturing)

  static let fix = Flag(
    "--fix",
    help:
      "Mend what can be mended without harm: modes, a flag left on, leftover files; never while a producer "
      + "lives.",
    group: mending, onlyWith: ["doctor"])

  /// The program's command line.
  static let program = Program(
    name: "consumer",
    summary: "consumer stands in for the app that contains a broadcast upload extension, up to where frames "
      + "enter a WebRTC video source. It follows the broadcast's status, takes its frames and measures them.",
    usage: [
      "consumer [watch] [OPTIONS]", "consumer capture [OPTIONS]",
      "consumer start [OPTIONS] [-- PRODUCER OPTIONS]",
      "consumer stop [OPTIONS]", "consumer status [OPTIONS]", "consumer inspect FILE [OPTIONS]",
      "consumer doctor [OPTIONS]",
    ],
    verbs: [
      HelpEntry("watch", "Follow the status and take frames while it is active. The default."),
      HelpEntry("capture", "Capture the app's own screen, without an extension: one process, no container."),
      HelpEntry("start", "Launch the producer, and return when its broadcast is active."),
      HelpEntry("stop", "End the broadcast by the flag, and return when the producer has finished."),
      HelpEntry("status", "Tell whether a broadcast is active."),
      HelpEntry(
        "inspect", "Tell which known format a file of frames or a captured stream holds, and what is wrong."),
      HelpEntry(
        "doctor", "Tell what is wrong with the container, what it means on a device, and how to mend it."),
    ],
    options: [
      pollFPS.declaration, wake.declaration, lease.declaration, layout.declaration, outputSize.declaration,
      fit.declaration,
      verify.declaration, y4m.declaration, wav.declaration, micWav.declaration,
      snapshot.declaration, preview.declaration, wait.declaration, statusInterval.declaration,
    ] + ScreenOptions.declarations.map { $0.only(with: capturing) } + [
      permission.declaration, background.declaration, interrupt.declaration, startAgain.declaration,
    ] + CommonOptions.endingDeclarations.map { $0.only(with: showing) } + [
      once.declaration, producer.declaration, `extension`.declaration, extensions.declaration,
      microphone.declaration,
      fix.declaration,
    ] + CommonOptions.declarations(sharedBy: sharing),
    passthroughVerb: "start", operands: [Operand("inspect", "FILE", "a file")],
    examples: [
      HelpEntry("consumer", "Watch whatever is broadcast, until Ctrl-C:"),
      HelpEntry("consumer start -- --pattern proof --fps 60", "Start a broadcast:"),
      HelpEntry("consumer --verify --once --json", "Verify one broadcast, for a script:"),
      HelpEntry("consumer --y4m - | ffplay -", "See it:"),
      HelpEntry("consumer --wav sound.wav --once", "Keep what the apps sound like:"),
      HelpEntry("consumer inspect frame.article --snapshot frame.png", "Look into a file:"),
      HelpEntry("consumer capture --pattern proof --verify --duration 10", "Capture the app's own screen:"),
      HelpEntry("consumer start --extensions Extensions", "Start the one extension that is installed:"),
      HelpEntry("consumer stop --wait 2", "End it, within two seconds:"),
      HelpEntry("consumer doctor --fix", "Find out why nothing comes, and mend it:"),
    ],
    signals: [
      HelpEntry("SIGINT, SIGTERM", "End in order, with the summary."),
      HelpEntry("SIGUSR1", "capture: the app goes to the background."),
      HelpEntry("SIGUSR2", "capture: the app is on the screen again."),
    ])
}
