import CommandLineSupport
import Foundation
import LaunchedPrograms
import ScreenBroadcast
import ToolSupport

/// The context of every run: its options, random choices and the folder of its containers.
final class RunContext {
  let options: EnduranceOptions
  let run: ToolRun
  let seed: UInt64
  var random: SeededGenerator
  /// The position in the run, as the beginning of the sentence of a failure: "in round 7, ".
  var place = ""

  init(_ options: EnduranceOptions, _ run: ToolRun) {
    self.options = options
    self.run = run
    seed = options.seed ?? .random(in: 1...UInt64(UInt32.max))
    random = SeededGenerator(seed: seed)
    run.say("endurance: seed \(seed), folder \(run.folder.path)")
  }

  /// Runs the subcommand. A failure names the seed that repeats it.
  func callAsFunction() throws {
    do {
      switch options.subcommand {
      case .torn: try TornRun(self).run()
      case .kill: try KillRun(self).run()
      }
    } catch let error as ProgramFailure { throw error } catch {
      let exitCode = (error as? CheckFailure)?.exitCode ?? .internalError
      throw CheckFailure("\(place)\(error). Repeat it with --seed \(seed).", exitCode)
    }
  }

  /// Whether there is time left, and no signal has asked the program to end.
  var hasTime: Bool { !run.isInterrupted && options.time.map { run.clock.elapsed < $0 } ?? true }

  /// Returns the container of the run. Creates it if necessary.
  func container() throws -> AppGroupContainer {
    let container = try AppGroupContainer(
      root: run.folder.path, group: "group.endurance.\(options.subcommand)")
    do { try container.prepare() } catch { throw ProgramFailure(error) }
    return container
  }

  /// Ends a run: prints its lines, and throws if it was interrupted or if checks failed.
  func finish(
    _ lines: [String], levels: LevelTable? = nil, failures: [String], exitCode: ExitCode = .internalError
  ) throws {
    let seconds = figure(run.clock.elapsed.inSeconds.text(decimals: 3), "seconds")
    run.finish(([seconds] + lines + (levels.map { ["", $0.text] } ?? [])).joined(separator: "\n"))
    try run.throwIfInterrupted("the run proves nothing")
    place = ""
    let failures = failures + (levels?.failures ?? [])
    guard failures.isEmpty else { throw CheckFailure(failures.joined(separator: "; "), exitCode) }
  }
}

/// Returns a line with a figure of a result and its words.
func figure(_ value: some CustomStringConvertible, _ words: String) -> String {
  "\("\(value)".padded(to: 12))  \(words)"
}
