import CommandLineSupport
import Synchronization

/// Reports a check while it runs: a line for each verdict to a person, and an event to machines.
package final class CheckReporter: Sendable {
  private let program: String
  private let console: Console
  private let lines: JSONLines?
  private let total: Int
  private let repeatCommand: @Sendable (Scenario) -> String
  private let collected = Mutex<[ScenarioVerdict]>([])

  /// - Parameter repeatCommand: the command that repeats a scenario.
  package init(
    program: String, console: Console, lines: JSONLines?, total: Int,
    repeatCommand: @escaping @Sendable (Scenario) -> String
  ) {
    (self.program, self.console, self.lines, self.total) = (program, console, lines, total)
    self.repeatCommand = repeatCommand
  }

  /// The verdicts so far, in the order in which they came.
  package var verdicts: [ScenarioVerdict] { collected.withLock { $0 } }

  /// Reports a verdict.
  package func report(_ verdict: ScenarioVerdict) {
    let count = collected.withLock { verdicts in
      verdicts.append(verdict)
      return verdicts.count
    }
    console.say(text(of: verdict))
    if case .failed(let why) = verdict.kept { console.report("\(program): \(why)") }
    if count < total { console.live("\(count) of \(total)") }
    lines?.write(
      VerdictEvent(verdict, repeatCommand: repeatCommand(verdict.scenario)), reportingTo: console, as: program
    )
  }

  /// Reports the end of the check; returns its failure, if a scenario failed.
  package func finish(after duration: Duration, seed: UInt64) -> ProgramFailure? {
    let verdicts = verdicts
    let event = CheckedEvent(verdicts, duration: duration, seed: seed)
    console.say(
      "\(event.passed) passed, \(event.failed) failed, \(event.doesNotApply) do not apply, in "
        + "\(event.seconds.text(decimals: 1)) s, seed \(seed)")
    lines?.write(event, reportingTo: console, as: program)
    let failed = verdicts.filter(\.hasFailed).map(\.scenario.name)
    guard !failed.isEmpty else { return nil }
    return ProgramFailure(
      .verificationFailed,
      "\(failed.count) of \(verdicts.count) scenarios failed: \(failed.sorted().joined(separator: ", ")).")
  }

  private func text(of verdict: ScenarioVerdict) -> String {
    let title =
      switch verdict.result {
      case .passed: "passed"
      case .failed: "FAILED"
      case .doesNotApply: "does not apply"
      }
    let seconds = "\((verdict.duration / .seconds(1)).text(decimals: 1)) s"
    let line =
      title.padded(16) + verdict.scenario.name.padded(22) + seconds.padded(8) + verdict.scenario.checks
    let runs = verdict.runs == 1 ? [] : [("runs", "\(verdict.runs), because the machine was late")]
    return ([line] + (runs + details(of: verdict)).map { "  \("\($0.title):".padded(14))\($0.text)" })
      .joined(separator: "\n")
  }

  private func details(of verdict: ScenarioVerdict) -> [(title: String, text: String)] {
    switch verdict.result {
    case .passed(let figures): figures.map { ("measured", $0) }
    case .doesNotApply(let why): [("because", "\(why).")]
    case .failed(let what):
      [("what", what), ("on a device", verdict.scenario.onDevice)]
        + (verdict.scenario.see.map { [("see", "Docs/\($0)")] } ?? [])
        + [("repeat", repeatCommand(verdict.scenario))] + (verdict.keptFolder.map { [("kept in", $0)] } ?? [])
    }
  }
}
