import Causes
import CommandLineSupport

/// A scenario of `check --list`.
package struct ScenarioEvent: JSONEvent {
  package static let event = "scenario"
  /// The name of the scenario.
  var name: String
  /// The condition that it checks.
  var checks: String
  /// Its tags, separated by spaces.
  var tags: String

  package init(_ scenario: Scenario) {
    (name, checks, tags) = (scenario.name, scenario.checks, scenario.tags.joined(separator: " "))
  }
}

/// The result of a scenario of `check`.
package struct VerdictEvent: JSONEvent {
  package static let event = "verdict"
  /// The name of the scenario.
  var scenario: String
  /// `passed`, `failed` or `notJudged`.
  var verdict: String
  /// The duration of the last run.
  var seconds: Double
  /// The number of runs, 1 to 3.
  var runs: Int
  /// Failed: the failure, as a sentence.
  var what: String?
  /// Failed: kind and detail of the cause, which is the same in each scenario that it fails.
  var cause: String?
  /// Failed: whether the failure does not depend on timing: a process crashed, ended with an error or is blocked, or a
  /// value is `certain`.
  var certain: Bool?
  /// Not judged: the reason.
  var why: String?
  /// Failed: the behaviour of a device.
  var onDevice: String?
  /// Failed: the page and section that explain it.
  var see: String?
  /// Failed: the command that repeats the scenario.
  var repeatCommand: String?
  /// Failed, with `--keep`: the folder with its files.
  var kept: String?
  /// Passed: the measured values that have bounds, separated by semicolons.
  var figures: String?

  package init(_ verdict: ScenarioVerdict, repeatCommand command: String) {
    (scenario, self.verdict) = (verdict.scenario.name, verdict.word)
    (seconds, runs) = (verdict.duration / .seconds(1), verdict.runs)
    switch verdict.result {
    case .passed(let figures): self.figures = figures.isEmpty ? nil : figures.joined(separator: "; ")
    case .failed(let what):
      (self.what, certain) = (what, verdict.isCertain)
      cause = verdict.cause?.fingerprint
      let row = verdict.cause?.kind.row
      (onDevice, see) = (row?.onDevice ?? verdict.scenario.onDevice, row?.see ?? verdict.scenario.see)
      kept = verdict.keptFolder
      repeatCommand = command
    case .notJudged(let why): self.why = why
    }
  }
}

/// The end of a check.
package struct CheckedEvent: JSONEvent {
  package static let event = "checked"
  /// The number of scenarios with each verdict.
  var passed: Int
  var failed: Int
  var notJudged: Int
  /// The frames delivered to the handler in broadcasts that ended normally.
  var framesDelivered: UInt64
  /// The delivered frames whose pixels the handler read.
  var framesRead: UInt64
  /// The duration of the check.
  var seconds: Double
  /// The value of `--seed`.
  var seed: UInt64

  package init(_ verdicts: [ScenarioVerdict], duration: Duration, seed: UInt64) {
    func count(_ word: String) -> Int { verdicts.filter { $0.word == word }.count }
    (passed, failed, notJudged) = (count("passed"), count("failed"), count("notJudged"))
    framesDelivered = verdicts.map(\.frames.delivered).reduce(0, +)
    framesRead = verdicts.map(\.frames.read).reduce(0, +)
    seconds = duration / .seconds(1)
    self.seed = seed
  }
}
