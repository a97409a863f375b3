import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform

/// A run of a tool: its folder, its progress, and the signals that end it early.
package final class ToolRun {
  /// The folder of the run's files. It is removed at the end.
  package let folder: TemporaryFolder
  /// Measures the time of the run. A run with a long start replaces it.
  package var clock = ProgressClock()
  private let interruption = Interruption()
  private let console = Console(messages: .error, errors: .error)
  private let program: String
  private var lastProgress = ""

  private init(of program: String) throws(ProgramFailure) {
    self.program = program
    folder = TemporaryFolder(of: program, in: nil)
  }

  /// The main function of a tool. This process is either one of its workers, or the run that a person launched.
  package static func main<Options>(
    _ program: Program<Options>, workers: [any Worker.Type],
    _ body: (ToolRun, Options) throws -> Void
  ) -> Never {
    System.ignoreBrokenPipes()
    let arguments = Array(CommandLine.arguments.dropFirst())
    WorkerSubcommand.run(arguments, among: workers)
    program.run(arguments) { options throws(ProgramFailure) in
      let run = try ToolRun(of: program.name)
      // Handle signals before the folder exists, so that a signal never leaves it behind.
      let signals = run.interruption.handleSignals()
      try run.folder.create()
      let failure = run.failure { try body(run, options) }
      extendLifetime(signals)
      program.exit(failure)
    }
    program.exit(nil)
  }

  /// Runs `body` and then removes the folder. Returns the first failure of the two.
  private func failure(of body: () throws -> Void) -> ProgramFailure? {
    var failure: ProgramFailure?
    do { try body() } catch {
      failure =
        error as? ProgramFailure
        ?? ProgramFailure((error as? CheckFailure)?.exitCode ?? .internalError, "\(error)")
    }
    do throws(ProgramFailure) { try folder.remove() } catch { failure = failure ?? error }
    return failure
  }

  /// Whether a signal has asked the program to end.
  package var isInterrupted: Bool { interruption.hasArrived }

  package func throwIfInterrupted(_ consequence: String) throws(ProgramFailure) {
    if isInterrupted { throw ProgramFailure(.nothingCame, "Interrupted before the end; \(consequence).") }
  }

  /// Prints a line on stderr, after the program's name.
  package func report(_ text: String) { console.report("\(program): \(text)") }

  package func say(_ text: String) { console.say(text) }

  /// Prints the progress: on a terminal as a line that is redrawn, otherwise every five seconds.
  package func progress(_ text: @autoclosure () -> String) {
    guard clock.isDue(every: console.showsLive ? .milliseconds(200) : .seconds(5)) else { return }
    lastProgress = "\(clock.elapsed.inSeconds.text(decimals: 0)) s: \(text())"
    if console.showsLive { console.live(lastProgress) } else { console.say(lastProgress) }
  }

  /// Prints the result on stdout, below the last progress.
  package func finish(_ result: String) {
    if console.showsLive { console.say(lastProgress) }
    StandardStream.output.write(result + "\n")
  }
}
