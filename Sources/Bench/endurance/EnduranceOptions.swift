import CommandLineSupport
import LaunchedPrograms
import Platform

struct EnduranceOptions: OptionGroup {
  enum Subcommand: String { case kill, torn, stream }

  var subcommand = Subcommand.kill
  var time: Duration?
  /// The size of the frames; `nil` for frames of a few words.
  var size: PixelSize?
  /// The number of frames that `torn` checks; `nil` for no limit.
  var checks: Int?
  var rounds = 1000
  var seed: UInt64?

  private static let minutes = OptionValue<Duration>("minutes from 0.1 to 100000") { text in
    guard let minutes = OptionValue.number(in: 0...100_000).read(text), minutes >= 0.1 else { return nil }
    return .seconds(minutes * 60)
  }

  static let options: [Option<Self>] = [
    [
      .value(
        "--minutes", "MINUTES", minutes, \.time,
        help: "The duration, 0.1 to 100000 minutes, decimals allowed. A longer run finds smaller leaks.",
        default: "10")
    ].under("Duration (stream)").only(with: ["stream"]),
    [
      .value(
        "--size", "WxH", .evenSize(in: 16...8192), \.size,
        help: "The size of the frames of the proof pattern (even, 16 to 8192).",
        default: "for torn, frames of 64 to 1016 bytes (far more checks); for stream, 1170x2532")
    ].under("Frames (torn, stream)").only(with: ["torn", "stream"]),
    [
      .value(
        "--checks", "N", .integer(in: 1...1_000_000_000_000), \.checks,
        help: "End after N frames were read and checked.", default: "10000000 without --size and --seconds"),
      .value(
        "--seconds", "SECONDS", .seconds(in: .milliseconds(100)...CommonOptions.longest), \.time,
        help: "End after this time (0.1 to 1000000 seconds), or after --checks if that comes first.",
        default: "60 with --size and without --checks"),
    ].under("Frames (torn, stream)").only(with: ["torn"]),
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
    switch subcommand {
    case .stream:
      time = time ?? .seconds(600)
      size = size ?? PixelSize(width: 1170, height: 2532)
    case .torn where checks == nil && time == nil:
      if size == nil { checks = 10_000_000 } else { time = .seconds(60) }
    case .torn, .kill: break
    }
  }

  static let program = Program(
    name: "endurance",
    summary:
      "endurance checks the transport between producer and consumer under crashes, pauses and long runs. "
      + "It works in a temporary folder, reports its progress on stderr, and exits "
      + "with 0 only if every check passed.",
    usage: [
      "endurance [kill] [OPTIONS]", "endurance torn [OPTIONS]", "endurance stream [OPTIONS]",
    ],
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
      HelpEntry(
        "stream",
        "One producer and one consumer, with frames, app audio and microphone, for the length of a call. The "
          + "consumer's verification must pass, and neither program grows."),
    ],
    options: options,
    examples: [
      HelpEntry("endurance kill --rounds 1000 --seed 7", "A thousand rounds of kills, with a given seed:"),
      HelpEntry("endurance torn", "Ten million small frames:"),
      HelpEntry("endurance torn --size 1170x2532 --seconds 120", "An iPhone's frames, for two minutes:"),
      HelpEntry("endurance stream --minutes 10", "Ten minutes of frames and audio:"),
    ],
    signals: [
      HelpEntry("SIGINT, SIGTERM, SIGHUP", "End all processes, report the result so far, and exit with 69.")
    ])
}
