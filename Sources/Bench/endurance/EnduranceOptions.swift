import CommandLineSupport
import LaunchedPrograms
import Platform

struct EnduranceOptions: OptionGroup {
  enum Subcommand: String { case kill, torn }

  var subcommand = Subcommand.kill
  var time: Duration?
  /// The size of the frames; `nil` for frames of a few words.
  var size: PixelSize?
  /// The number of frames that `torn` checks; `nil` for no limit.
  var checks: Int?
  var rounds = 1000
  var seed: UInt64?

  static let options: [Option<Self>] = [
    [
      .value(
        "--size", "WxH", .evenSize(in: 16...8192), \.size,
        help: "The size of the frames of the proof pattern (even, 16 to 8192).",
        default: "frames of 64 to 1016 bytes (far more checks)"),
      .value(
        "--checks", "N", .integer(in: 1...1_000_000_000_000), \.checks,
        help: "End after N frames were read and checked.", default: "10000000 without --size and --seconds"),
      .value(
        "--seconds", "SECONDS", .seconds(in: .milliseconds(100)...CommonOptions.longest), \.time,
        help: "End after this time (0.1 to 1000000 seconds), or after --checks if that comes first.",
        default: "60 with --size and without --checks"),
    ].under("Frames (torn)").only(with: ["torn"]),
    [
      .value(
        "--rounds", "N", .integer(in: 1...1_000_000), \.rounds,
        help: "Rounds, 1 to 1000000. Each kills and replaces one to four processes.")
    ].under("Kills (kill)").only(with: ["kill"]),
    [
      .value(
        "--seed", "N", OptionValue("a whole number from 0 to 18446744073709551615") { UInt64($0) }, \.seed,
        help:
          "The seed of the random choices: which process is killed, when, sizes, pauses. The same seed gives "
          + "the same choices; the timing still differs.", default: "random, printed at the start")
    ].under("Repetition"),
  ].flatMap { $0 }

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    subcommand = invocation.subcommand.flatMap(Subcommand.init) ?? .kill
    guard subcommand == .torn, checks == nil, time == nil else { return }
    if size == nil { checks = 10_000_000 } else { time = .seconds(60) }
  }

  static let program = Program(
    name: "endurance",
    summary:
      "endurance checks the transport between producer and consumer under crashes and pauses. "
      + "It works in a temporary folder, reports its progress on stderr, and exits "
      + "with 0 only if every check passed.",
    usage: ["endurance [kill] [OPTIONS]", "endurance torn [OPTIONS]"],
    subcommands: [
      HelpEntry(
        "kill",
        "Extension, app, a reader that sleeps in the ring and a writer of other keys are killed at random times. "
          + "The others continue, the next poll detects a crash, a new extension takes over, and nothing is lost or "
          + "left behind. Memory, open files and threads of an app that is not killed must not grow. The default."
      ),
      HelpEntry(
        "torn",
        "A writer publishes at full speed; readers read frames slowly, in pieces, and are stopped in between. No "
          + "frame may be torn. The same readers without the ring's second check of the counter must read torn "
          + "frames; otherwise the run proves nothing and fails."),
    ],
    options: options,
    examples: [
      HelpEntry("endurance kill --rounds 1000 --seed 7", "A thousand rounds of kills, with a given seed:"),
      HelpEntry("endurance torn", "Ten million small frames:"),
      HelpEntry("endurance torn --size 1170x2532 --seconds 120", "An iPhone's frames, for two minutes:"),
    ],
    signals: [
      HelpEntry("SIGINT, SIGTERM, SIGHUP", "End all processes, report the result so far, and exit with 69.")
    ])
}
