import CommandLineSupport

extension EnduranceOptions {
  private static let soaking = "How long it runs (soak, stream)"
  private static let tearing = "Which frames, and how many (torn, stream)"
  private static let killing = "How often somebody is killed (kill)"
  private static let place = "Where"
  private static let repeating = "What is the same in another run"

  /// Minutes, decimals allowed, as a duration.
  private static let time = OptionValue<Duration>("minutes from 0.1 to 100000") { text in
    guard let minutes = OptionValue<Double>.number(in: 0...100_000).read(text), minutes >= 0.1 else {
      return nil
    }
    return .seconds(minutes * 60)
  }

  static let soak = Option(
    "--soak", "MINUTES", time, help: "The same as 'soak --minutes MINUTES'.", group: soaking,
    onlyWith: ["soak"])

  static let minutes = Option(
    "--minutes", "MINUTES", time,
    help: "How long, 0.1 to 100000 minutes, decimals allowed. A leak shows the sooner the longer it runs.",
    default: "2, 10 for stream", group: soaking, onlyWith: ["soak", "stream"])

  static let checks = Option(
    "--checks", "N", .integer(in: 1...1_000_000_000_000),
    help: "End after N frames were taken and judged.",
    default: "10000000 without --size and --seconds", group: tearing, onlyWith: ["torn"])

  static let size = Option(
    "--size", "WxH", .evenSize(in: 16...8192),
    help: "Pictures of the proof pattern of this size, both sides even, 16 to 8192.",
    default: "for torn, frames of 64 to 1016 bytes, of which many more can be judged; for stream, 1170x2532",
    group: tearing, onlyWith: ["torn", "stream"])

  static let seconds = Option(
    "--seconds", "SECONDS", .seconds(in: .milliseconds(100)...CommonOptions.longest),
    help: "End after so many seconds, 0.1 to 1000000. With --checks, what comes first ends the run.",
    default: "60 with --size and without --checks", group: tearing, onlyWith: ["torn"])

  static let readers = Option(
    "--readers", "N", .integer(in: 1...16), help: "Reader processes, 1 to 16.", default: "2", group: tearing,
    onlyWith: ["torn"])

  static let rounds = Option(
    "--rounds", "N", .integer(in: 1...1_000_000),
    help: "Rounds, 1 to 1000000; in each, one to four processes are killed and replaced.",
    default: "1000", group: killing, onlyWith: ["kill"])

  static let seed = Option(
    "--seed", "N", OptionValue<UInt64>("a whole number from 0 to 18446744073709551615") { UInt64($0) },
    help: "What the random choices follow from: whom to kill, when, sizes, pauses. Another run with the same "
      + "seed makes the same choices; what the machine makes of them still differs.",
    default: "a number of chance, told at the start", group: repeating)

  static let container = Option(
    "--container", "DIR", .text("a folder"), help: "A folder, in which the run makes one of its own.",
    default: "a memory file system, else the temporary folder", group: place)

  /// The program's command line.
  static let program = Program(
    name: "endurance",
    summary: "endurance proves that nothing breaks the transport between producer and consumer. It uses a "
      + "folder of its own, removed at the end, tells its progress on standard error, and leaves with 0 only "
      + "when everything it promises held.",
    usage: [
      "endurance [soak] [--soak MINUTES] [OPTIONS]", "endurance stream [OPTIONS]", "endurance torn [OPTIONS]",
      "endurance kill [OPTIONS]",
    ],
    verbs: [
      HelpEntry(
        "soak",
        "The programs producer and consumer start, stop, change sizes, die and stand still. Memory, open "
          + "files, threads and the container must not grow. The default."),
      HelpEntry(
        "stream",
        "One producer and one consumer, with pictures and both sounds, as long as a call. Every picture is whole, no sound is "
          + "missing, they stay in step by less than a frame, and neither program grows."),
      HelpEntry(
        "torn",
        "A writer publishes at full speed; readers take frames slowly, in pieces, and are stopped in the "
          + "middle. No frame may be torn. The same readers without the ring's second look at the counter "
          + "must tear, else the run proves nothing and fails."),
      HelpEntry(
        "kill",
        "Extension, app, a reader with leases and a writer of other keys are killed at random moments. The others go on, a crash "
          + "is seen at the next look, a new extension takes over, and nothing is lost or left behind."),
    ],
    options: [
      soak.declaration, minutes.declaration, checks.declaration, size.declaration, seconds.declaration,
      readers.declaration, rounds.declaration, seed.declaration, container.declaration,
    ] + CommonOptions.declarations.filter { !CommonOptions.sharingNames.contains($0.name) },
    examples: [
      HelpEntry("endurance --soak 30", "Half an hour of starts, stops and deaths:"),
      HelpEntry("endurance stream --minutes 10", "Ten minutes of picture and sound:"),
      HelpEntry("endurance torn", "Ten million small frames:"),
      HelpEntry("endurance torn --size 1170x2532 --seconds 120", "An iPhone's frames, for two minutes:"),
      HelpEntry("endurance kill --rounds 1000 --seed 7", "A thousand deaths, chosen as in the last run:"),
    ],
    signals: [HelpEntry("SIGINT, SIGTERM", "End what was started, tell what was reached, and leave with 69.")]
  )
}
