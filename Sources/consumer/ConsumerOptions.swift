import CommandLineSupport
import ContainingApp
import EmulatedSystem
import RunReports

enum Subcommand: String, CaseIterable {
  case watch, capture, compare, start, stop, status, doctor, report

  /// How long the subcommand waits by default; `nil` for no limit.
  var defaultWait: Duration? {
    switch self {
    case .watch, .capture: nil
    case .start, .stop: .seconds(10)
    case .status, .doctor, .report, .compare: .zero
    }
  }
}

package struct ConsumerOptions: OptionGroup {
  var subcommand = Subcommand.watch
  var common = CommonOptions()
  var pace = PaceOptions()
  var frames = FrameOptions()
  var limits = LimitOptions()
  var watch = WatchOptions()
  var capture = CaptureOptions()
  var start = StartOptions()
  var report = ReportOptions()
  /// The PNG file that receives a frame, or `-` for standard output.
  var snapshot: String?
  var doctor = DoctorOptions()
  /// Two reports, and the one that is made of them.
  var reports: [String] = []

  package init() {}

  private static let showing = ["watch", "capture"]
  private static let broadcasting = ["watch", "start", "stop", "status"]

  static let options: [Option<Self>] = [
    WatchOptions.options.inside(\.watch).only(with: ["watch"]),
    FrameOptions.options.inside(\.frames).only(with: showing),
    [
      .value(
        "--snapshot", "PATH", .text("a file, or - for standard output"), \.snapshot,
        help: "Write the last frame as a PNG file; with -, to standard output.")
    ]
    .under(FrameOptions.outputs).only(with: showing),
    ReportOptions.options.inside(\.report).only(with: showing),
    PaceOptions.options.inside(\.pace).only(with: broadcasting),
    CaptureOptions.choosing.inside(\.capture).only(with: ["capture"]),
    CaptureOptions.options.inside(\.capture).only(with: ["capture"]),
    CaptureOptions.common.inside(\.capture).only(with: ["capture", "compare"]),
    LimitOptions.options.inside(\.limits).only(with: showing),
    WatchOptions.ending.inside(\.watch).only(with: ["watch"]),
    StartOptions.options.inside(\.start),
    DoctorOptions.options.inside(\.doctor).only(with: ["doctor"]),
    CommonOptions.sharing.inside(\.common).only(with: broadcasting + ["doctor"]),
    CommonOptions.printing.inside(\.common),
  ].flatMap { $0 }

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    subcommand = invocation.subcommand.flatMap(Subcommand.init) ?? .watch
    pace.wait = pace.wait ?? subcommand.defaultWait
    reports = subcommand == .report ? invocation.operands : []
    try frames.finish(invocation)
    try watch.finish(invocation)
    try capture.finish(invocation)
    try start.finish(invocation)
    try report.finish(invocation)
    if subcommand == .doctor { try doctor.finish(invocation) }
  }

  package var namedFiles: [NamedFile] {
    [.prints("--json", common.json)] + outputs + capture.namedFiles
      + reports.prefix(2).map { .reads("report", $0) } + reports.dropFirst(2).map { .writes("report", $0) }
  }

  private var outputs: [NamedFile] {
    [.writes("--y4m", frames.y4m), .writes("--snapshot", snapshot)] + report.namedFiles
  }

  /// Whether standard output carries a stream, so that messages go to standard error.
  var streamsToStandardOutput: Bool { outputs.contains(where: \.isStandardOutput) }

  /// The frame rate to state in outputs: the polls per second, or the rate of the call.
  var framesPerSecond: Double {
    if subcommand == .capture, capture.framework == .replaykit {
      return Double(VideoCall.captureFramesPerSecond)
    }
    if subcommand == .capture { return Double(VideoCall.framesPerSecond) }
    return watch.wake ? Double(VideoCall.framesPerSecond) : watch.pollsPerSecond
  }

  /// Reads a command line, without the program's name.
  package static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineRequest<Self> {
    try program.request(arguments)
  }

  package static let program = Program(
    name: "consumer",
    summary:
      "consumer emulates the app that contains a broadcast upload extension, up to where frames enter a "
      + "WebRTC video source. It follows the broadcast's status, receives its frames and measures them.",
    usage: [
      "consumer [watch] [OPTIONS]", "consumer capture [OPTIONS]",
      "consumer compare [OPTIONS]",
      "consumer start [OPTIONS] [-- PRODUCER OPTIONS]",
      "consumer stop [OPTIONS]", "consumer status [OPTIONS]",
      "consumer doctor [OPTIONS]", "consumer doctor --app PATH [--extension PATH]",
      "consumer report FILE FILE RESULT",
    ],
    subcommands: [
      HelpEntry("watch", "Follow the broadcast and receive its frames. The default."),
      HelpEntry("capture", "Capture the screen without an extension. One process, no container."),
      HelpEntry(
        "compare",
        "Show what an extension and ScreenCaptureKit deliver. One scenario on a virtual clock, for both."
      ),
      HelpEntry("start", "Launch the producer, and return when it broadcasts."),
      HelpEntry("stop", "End the broadcast by the flag. Returns when the producer has finished."),
      HelpEntry("status", "Report whether a broadcast is active."),
      HelpEntry(
        "doctor",
        "Find problems of the container and their repairs. Says what they mean on a device; with --app, examines "
          + "the Info.plists and entitlements of an app."),
      HelpEntry(
        "report",
        "Make one page of two reports. The two sides of a broadcast get one axis of time; other runs are compared."
      ),
    ],
    options: options, passthroughSubcommands: ["start"],
    operands: ["FILE", "FILE", "RESULT"].map {
      Operand("report", $0, "two files of --report and the file to write")
    },
    vocabularies: [
      "Events (--at) with --framework replaykit": InAppCapture.eventForms.map {
        HelpEntry($0.usage, $0.meaning)
      },
      "Events of the extension (compare)": BroadcastSystem.eventForms.map { HelpEntry($0.usage, $0.meaning) },
      "Events (--at) with --framework screencapturekit": ContentCapture.eventForms.map {
        HelpEntry($0.usage, $0.meaning)
      },
    ],
    examples: [
      HelpEntry("consumer", "Watch all broadcasts until Ctrl-C:"),
      HelpEntry("consumer --serve", "Show them on a page for a browser:"),
      HelpEntry("consumer --verify --once", "Check one broadcast, frame by frame:"),
      HelpEntry("consumer start -- --pattern proof", "Start a broadcast:"),
      HelpEntry("consumer doctor --fix", "Find out why no frames come, and repair it:"),
      HelpEntry("consumer --verify --once --json", "Verify one broadcast, for a script:"),
      HelpEntry("consumer --y4m - | ffplay -", "Play the frames:"),
      HelpEntry(
        "consumer --verify --once --report run.html --junit run.xml", "Leave a report of one broadcast:"),
      HelpEntry("consumer capture --pattern proof --verify --duration 10", "Capture the app's own screen:"),
      HelpEntry(
        "consumer capture --framework screencapturekit --at 6s stop",
        "Capture the display as from iOS 27 on:"),
      HelpEntry("consumer compare --at 2s lock", "See what iOS 27 changes for an app:"),
      HelpEntry("consumer stop --wait 2s", "End the broadcast within two seconds:"),
      HelpEntry("consumer status", "Ask whether a broadcast is active:"),
      HelpEntry("consumer report old.html new.html both.html", "See what became worse from run to run:"),
      HelpEntry("consumer doctor --app MyApp.app", "Find out why app and extension do not meet on a device:"),
    ],
    mostUsed: [
      "--verify", "--serve", "--snapshot", "--report", "--duration", "--once", "--container", "--json",
    ],
    elsewhere: [
      "broadcast": ["producer"], "control": ["producer control"], "check": ["producer check"],
      "serve": ["consumer --serve"],
      "--port": ["consumer --serve=PORT"], "--force": ["consumer doctor --fix"],
      "--app-audio": ["producer --app-audio"], "--mic": ["producer --mic"], "--slots": ["producer --slots"],
    ],
    signals: [
      HelpEntry("SIGINT, SIGTERM, SIGHUP", "End in order, with the summary."),
      HelpEntry("SIGUSR1", "capture: the app goes to the background."),
      HelpEntry("SIGUSR2", "capture: the app returns to the foreground."),
    ])
}
