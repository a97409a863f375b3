import CommandLineSupport
import Foundation

/// What every run has: a folder, a seed, somebody to tell, and somebody who may want it to end.
struct Stage {
  /// What the random choices follow from.
  let seed: UInt64
  /// The run's own folder.
  let folder: WorkFolder
  /// Whether somebody wants the run to end.
  let interruption: Interruption
  private let console: Console
  private let lines: JSONLines?
  private let isQuiet: Bool

  /// The stage of a run with these options.
  init(_ options: EnduranceOptions, interruption: Interruption) throws(ProgramFailure) {
    seed = options.seed
    self.interruption = interruption
    folder = try WorkFolder(in: options.container)
    console = Console(messages: options.common.quiet ? nil : .error, errors: .error)
    lines = options.common.json ? JSONLines(to: .output) : nil
    isQuiet = options.common.quiet || options.common.json
  }

  /// Tells a person that something begins or has happened.
  func say(_ text: String) { console.say(text) }

  /// Tells how far the run is: a line that is drawn over itself, or one in five seconds.
  func progress(_ text: String, at clock: inout ProgressClock) {
    guard clock.isDue(every: console.showsLive ? .milliseconds(200) : .seconds(5)) else { return }
    if console.showsLive { console.live(text) } else { console.say(text) }
  }

  /// Tells what came of the run: to machines as an event, to people as lines on standard output.
  func result(_ event: some JSONEvent, _ text: String) throws(ProgramFailure) {
    console.keepLive()
    if let lines { try lines.write(event) }
    if !isQuiet { StandardStream.output.write(text + "\n") }
  }

  /// Why the run fails, with what it takes to repeat it.
  func failure(_ exitCode: ExitCode, _ failures: [String]) -> ProgramFailure {
    ProgramFailure(exitCode, "\(failures.joined(separator: "; ")). Repeat it with --seed \(seed).")
  }

  /// What an interrupted run leaves with.
  var interrupted: ProgramFailure {
    ProgramFailure(.nothingCame, "Interrupted before the end; nothing is proven.")
  }
}
