import AppProgram
import CommandLineSupport
import ContainingApp
import EmulatedSystem
import Foundation
import ScreenBroadcast

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

/// The options for the interval at which `watch`, `start`, `stop` and `status` read the flag, and for their timeout.
struct PaceOptions: OptionGroup {
  /// How long to wait for a result; `nil` for no limit (only `watch`).
  var wait: Duration?
  var statusInterval = BroadcastStatusManagerImpl.pollInterval

  static let options: [Option<Self>] = [
    .value(
      "--wait", "TIME", .seconds(in: .zero...CommonOptions.longest), \.wait,
      help: "How long to wait for the result, 0 to 1000000 seconds; then exit with 69.",
      default: "10 for start and stop, 0 for status, no limit for watch"),
    .value(
      "--status-interval", "TIME", .seconds(in: .milliseconds(10)...(.seconds(60))), \.statusInterval,
      help: "The time between two polls of the status, 0.01 to 60 seconds."),
  ].under("Intervals and time limits")
}

/// The options for the program that `start` launches.
struct StartOptions: OptionGroup {
  /// The program; `nil` for the `producer` next to this program.
  var producer: String?
  var producerArguments: [String] = []

  static let options: [Option<Self>] = [
    .value(
      "--producer", "PATH", .text("a program"), \.producer, help: "The program of the extension to launch.",
      default: "the producer next to this program")
  ].under("The extension (start)").only(with: ["start"])

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    producerArguments = invocation.passthrough
    let shared = CommonOptions.sharing.map(\.declaration.name)
    for argument in producerArguments {
      let name = String(argument.prefix { $0 != "=" })
      guard !shared.contains(name) else {
        throw UsageError(
          "\(name) belongs before '--', because consumer passes it to the producer; move it there.")
      }
    }
  }

  /// Returns the launch of the producer.
  func launch(_ container: AppGroupContainer, _ common: CommonOptions) -> ProducerLaunch {
    ProducerLaunch(
      program: producer.map { URL(fileURLWithPath: $0) } ?? ProducerLaunch.neighbour,
      arguments: common.sharedArguments + producerArguments, container: container)
  }
}

/// The options for receiving a broadcast with `watch`.
struct WatchOptions: OptionGroup {
  var pollsPerSecond = 30.0
  var wake = false
  var layout = BroadcastLayout.ring
  var once = false

  static let options: [Option<Self>] = [
    .value(
      "--poll-fps", "N", .number(in: 1...240), \.pollsPerSecond,
      help: "Polls per second, 1 to 240, decimals allowed."),
    .flag("--wake", \.wake, help: "Receive each frame at once instead of at the next poll."),
    .value(
      "--layout", "NAME", .choice, \.layout,
      help: "The layout of the shared frames: ring, or article, the article's single slot without "
        + "synchronization. The producer must use the same layout. With article, each poll reads the slot, "
        + "whether its frame is new or not."),
  ].under(FrameOptions.call)

  static let ending: [Option<Self>] = [
    .flag("--once", \.once, help: "End when the first broadcast has ended.")
  ].under("When to end")

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    if wake, invocation.has("--poll-fps") {
      throw UsageError("--wake and --poll-fps cannot be combined: --wake receives every frame without polls.")
    }
    if wake, layout == .article {
      throw UsageError("--wake needs the ring, and cannot be combined with the layout 'article'.")
    }
  }
}
