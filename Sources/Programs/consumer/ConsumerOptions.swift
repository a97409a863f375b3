import AppProgram
import CommandLineSupport
import ContainingApp
import EmulatedSystem

enum Subcommand: String, CaseIterable {
  case watch, start, stop, status

  /// How long the subcommand waits by default; `nil` for no limit.
  var defaultWait: Duration? {
    switch self {
    case .watch: nil
    case .start, .stop: .seconds(10)
    case .status: .zero
    }
  }
}

package struct ConsumerOptions: OptionGroup {
  var subcommand = Subcommand.watch
  var common = CommonOptions()
  var pace = PaceOptions()
  var showing = ShowingOptions()
  var watch = WatchOptions()
  var start = StartOptions()

  package init() {}

  static let options: [Option<Self>] =
    WatchOptions.options.inside(\.watch).only(with: ["watch"])
    + ShowingOptions.options.inside(\.showing).only(with: ["watch"])
    + WatchOptions.ending.inside(\.watch).only(with: ["watch"])
    + PaceOptions.options.inside(\.pace) + StartOptions.options.inside(\.start)
    + CommonOptions.sharing.inside(\.common) + CommonOptions.printing.inside(\.common)

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    subcommand = invocation.subcommand.flatMap(Subcommand.init) ?? .watch
    pace.wait = pace.wait ?? subcommand.defaultWait
    try showing.finish(invocation)
    try watch.finish(invocation)
    try start.finish(invocation)
  }

  package var namedFiles: [NamedFile] {
    [.prints("--json", common.json)] + showing.namedFiles
  }

  /// The frame rate to state in outputs: the polls per second, or the rate of the call.
  var framesPerSecond: Double {
    watch.wake ? Double(VideoCall.framesPerSecond) : watch.pollsPerSecond
  }

  /// Parses a command line, without the program's name.
  package static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineRequest<Self> {
    try program.request(arguments)
  }

  package static let program = Program(
    name: "consumer",
    summary:
      "consumer emulates the app that contains a broadcast upload extension, up to where frames enter a "
      + "WebRTC video source. It follows the broadcast's status, receives its frames and measures them.",
    usage: [
      "consumer [watch] [OPTIONS]",
      "consumer start [OPTIONS] [-- PRODUCER OPTIONS]",
      "consumer stop [OPTIONS]", "consumer status [OPTIONS]",
    ],
    subcommands: [
      HelpEntry("watch", "Follow the broadcast and receive its frames. The default."),
      HelpEntry("start", "Launch the producer, and return when it broadcasts."),
      HelpEntry("stop", "End the broadcast by the flag. Returns when the producer has finished."),
      HelpEntry("status", "Report whether a broadcast is active."),
    ],
    options: options, passthroughSubcommands: ["start"],
    examples: [
      HelpEntry("consumer", "Watch all broadcasts until Ctrl-C:"),
      HelpEntry("consumer --serve", "Show them on a page for a browser:"),
      HelpEntry("consumer --verify --once", "Check one broadcast, frame by frame:"),
      HelpEntry("consumer start -- --pattern proof", "Start a broadcast:"),
      HelpEntry("consumer --verify --once --json", "Verify one broadcast, for a script:"),
      HelpEntry("consumer --y4m - | ffplay -", "Play the frames:"),
      HelpEntry(
        "consumer --verify --once --report run.html --junit run.xml", "Write a report of one broadcast:"),
      HelpEntry("consumer stop --wait 2s", "End the broadcast within two seconds:"),
      HelpEntry("consumer status", "Ask whether a broadcast is active:"),
    ],
    mostUsed: [
      "--verify", "--serve", "--snapshot", "--report", "--duration", "--once", "--container", "--json",
    ],
    elsewhere: [
      "broadcast": ["producer"], "control": ["producer control"], "check": ["broadcast check"],
      "doctor": ["broadcast doctor"],
      "import": ["broadcast import"], "capture": ["capturer"],
      "serve": ["consumer --serve"],
      "--port": ["consumer --serve=PORT"], "--force": ["broadcast doctor --fix"],
      "--app-audio": ["producer --app-audio"], "--mic": ["producer --mic"], "--slots": ["producer --slots"],
    ],
    signals: [
      HelpEntry("SIGINT, SIGTERM, SIGHUP", "End normally, with the summary.")
    ])
}
