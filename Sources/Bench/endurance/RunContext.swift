import BroadcastTesting
import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast
import ToolSupport

/// What every run uses: its options, random choices, a folder, a clock, and the outputs.
final class RunContext {
  let options: EnduranceOptions
  let seed: UInt64
  let folder: TemporaryFolder
  var random: SeededGenerator
  /// Where the run is, to begin the sentence of a failure: "in round 7, ".
  var place = ""
  private(set) var stops = 0
  /// The time of the run. A run that needs time to start replaces it.
  var clock = ProgressClock()
  private let interruption: Interruption
  private let console: Console
  private var lastProgress = ""

  init(_ options: EnduranceOptions, interruption: Interruption) throws(ProgramFailure) {
    self.options = options
    self.interruption = interruption
    seed = options.seed ?? .random(in: 1...UInt64(UInt32.max))
    random = SeededGenerator(seed: seed)
    console = Console(messages: options.common.quiet ? nil : .error, errors: .error)
    folder = TemporaryFolder(of: "endurance", in: options.container)
    try folder.create()
    console.say("endurance: seed \(seed), folder \(folder.path)")
  }

  var isInterrupted: Bool { interruption.hasArrived }

  var hasTime: Bool { !isInterrupted && options.time.map { clock.elapsed < $0 } ?? true }

  func container(_ name: String) throws -> AppGroupContainer { try programs(name).container }

  /// The programs of a container, which exists.
  func programs(_ name: String) throws -> LaunchedBroadcast {
    let programs = try LaunchedBroadcast(
      root: folder.path, group: "group.endurance.\(name)", errorFolder: folder.path)
    do { try programs.container.prepare() } catch { throw ProgramFailure(error) }
    return programs
  }

  /// Stops one of the processes for a random time, as a busy machine does.
  func pause(_ processes: [ChildProcess], upTo limit: Duration) {
    guard let process = processes.randomElement(using: &random) else { return }
    process.send(SIGSTOP)
    random.sleep(upTo: limit)
    process.send(SIGCONT)
    stops += 1
  }

  /// Prints a line about the result on standard error.
  func report(_ text: String) { console.report(text) }

  /// Prints the progress: as a line that is redrawn, or every five seconds.
  func progress(_ text: @autoclosure () -> String) {
    guard clock.isDue(every: console.showsLive ? .milliseconds(200) : .seconds(5)) else { return }
    lastProgress = "\(clock.elapsed.inSeconds.text(decimals: 0)) s: \(text())"
    if console.showsLive { console.live(lastProgress) } else { console.say(lastProgress) }
  }

  /// Ends a run: prints its result on standard output, and throws if it was interrupted or if checks failed.
  func finish(
    _ figures: [Figure], levels: LevelTable? = nil, failures: [String], exitCode: ExitCode = .internalError
  ) throws {
    let figures = [Figure("seed", seed), Figure("seconds", clock.elapsed.inSeconds, "seconds")] + figures
    if console.showsLive { console.say(lastProgress) }
    if let lines = options.common.jsonLines {
      let all = figures + (levels.map { [Figure("levels", $0.levels)] } ?? [])
      let body = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
      try lines.write(options.subcommand.rawValue, body)
    } else if !options.common.quiet {
      let table = figures.compactMap(\.line) + (levels.map { ["", $0.text] } ?? [])
      StandardStream.output.write(table.joined(separator: "\n") + "\n")
    }
    if isInterrupted {
      throw ProgramFailure(.nothingCame, "Interrupted before the end; the run proves nothing.")
    }
    place = ""
    let failures = failures + (levels?.failures ?? [])
    guard failures.isEmpty else { throw CheckFailure(failures.joined(separator: "; "), exitCode) }
  }

  /// The failure of the program for an error of a run, with the seed that repeats it.
  func failure(_ error: any Error) -> ProgramFailure {
    if let failure = error as? ProgramFailure { return failure }
    let exitCode = (error as? CheckFailure)?.exitCode ?? .internalError
    return ProgramFailure(exitCode, "\(place)\(error). Repeat it with --seed \(seed).")
  }
}

/// A figure of a result: a key and a value in JSON, and a line of the table if it has words for it.
struct Figure: Encodable {
  let key: String
  private let value: any Encodable
  private let text: String?

  init(_ key: String, _ value: some Encodable, _ text: String? = nil) {
    (self.key, self.value, self.text) = (key, value, text)
  }

  /// The value and its words; `nil` for a figure in JSON alone.
  var line: String? {
    guard let text else { return nil }
    let shown = (value as? Double)?.text(decimals: 3) ?? "\(value)"
    return String(repeating: " ", count: max(0, 12 - shown.count)) + "\(shown)  \(text)"
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
