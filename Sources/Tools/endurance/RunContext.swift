import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import WorkerSupport

/// What every run uses: a seed, a folder, an interruption, and the outputs.
struct RunContext {
  let seed: UInt64
  let folder: WorkFolder
  let interruption: Interruption
  private let console: Console
  private let lines: JSONLines?
  private let isQuiet: Bool

  init(_ options: EnduranceOptions, interruption: Interruption) throws(ProgramFailure) {
    seed = options.seed
    self.interruption = interruption
    folder = WorkFolder(of: "endurance", in: options.container)
    try folder.create()
    console = Console(messages: options.common.quiet ? nil : .error, errors: .error)
    lines = options.common.json ? JSONLines(to: .output) : nil
    isQuiet = options.common.quiet || options.common.json
  }

  /// An app group's container in the folder of the run.
  func container(_ name: String) throws(ProgramFailure) -> AppGroupContainer {
    let container: AppGroupContainer
    do { container = try AppGroupContainer(root: folder.path, group: "group.endurance.\(name)") } catch {
      throw ProgramFailure(.internalError, "\(error).")
    }
    do { try container.prepare() } catch { throw ProgramFailure(error) }
    return container
  }

  /// Prints a message.
  func say(_ text: String) { console.say(text) }

  /// Prints the progress: as a line that is redrawn, or every five seconds.
  func progress(_ text: String, at clock: inout ProgressClock) {
    guard clock.isDue(every: console.showsLive ? .milliseconds(200) : .seconds(5)) else { return }
    if console.showsLive { console.live(text) } else { console.say(text) }
  }

  /// Prints the result on standard output: as an event, as lines, or both.
  func result(_ event: some JSONEvent, _ text: String) throws(ProgramFailure) {
    console.keepLive()
    if let lines { try lines.write(event) }
    if !isQuiet { StandardStream.output.write(text + "\n") }
  }

  /// Runs `body`. A check that fails in it fails the program, with the progress that `place` names.
  func perform<Result>(
    _ place: () -> String? = { nil }, _ body: () throws -> Result
  ) throws(ProgramFailure) -> Result {
    do { return try body() } catch let failure as ProgramFailure { throw failure } catch {
      throw self.failure(.internalError, [(place().map { "\($0), " } ?? "") + "\(error)"])
    }
  }

  /// Ends a run: throws if it was interrupted, or if checks failed.
  func finish(_ exitCode: ExitCode = .internalError, failures: [String]) throws(ProgramFailure) {
    if interruption.hasArrived {
      throw ProgramFailure(.nothingCame, "Interrupted before the end; the run proves nothing.")
    }
    guard failures.isEmpty else { throw failure(exitCode, failures) }
  }

  /// The failure of a run, with the seed that repeats it.
  func failure(_ exitCode: ExitCode, _ failures: [String]) -> ProgramFailure {
    ProgramFailure(exitCode, "\(failures.joined(separator: "; ")). Repeat it with --seed \(seed).")
  }
}

/// A check that failed, as a sentence that continues "in round 7, ".
struct CheckFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws unless a condition holds.
func expect(_ condition: Bool, _ failure: @autoclosure () -> String) throws(CheckFailure) {
  if !condition { throw CheckFailure(failure()) }
}
