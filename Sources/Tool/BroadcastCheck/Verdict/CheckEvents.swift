import Causes
import CommandLineSupport

// Docs/JSONLines.md has the meaning and the unit of every key.

/// A scenario of `--list`.
package struct ScenarioEvent: JSONEvent {
  package static let event = "scenario"
  var name: String
  var checks: String
  var tags: String

  package init(_ scenario: Scenario) {
    (name, checks, tags) = (scenario.name, scenario.checks, scenario.tags.joined(separator: " "))
  }
}

/// The result of a scenario.
package struct VerdictEvent: JSONEvent {
  package static let event = "verdict"
  var scenario: String
  var verdict: String
  var seconds: Double
  var runs: Int
  var what: String?
  /// The fingerprint of the cause.
  var cause: String?
  var certain: Bool?
  var why: String?
  var onDevice: String?
  var see: String?
  var repeatCommand: String?
  var kept: String?
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
    case .doesNotApply(let why): self.why = why
    }
  }
}

/// The end of a check.
package struct CheckedEvent: JSONEvent {
  package static let event = "checked"
  var passed: Int
  var failed: Int
  var doesNotApply: Int
  var framesDelivered: UInt64
  var framesRead: UInt64
  var seconds: Double
  var seed: UInt64

  package init(_ verdicts: [ScenarioVerdict], duration: Duration, seed: UInt64) {
    func count(_ word: String) -> Int { verdicts.filter { $0.word == word }.count }
    (passed, failed, doesNotApply) = (count("passed"), count("failed"), count("doesNotApply"))
    framesDelivered = verdicts.map(\.frames.delivered).reduce(0, +)
    framesRead = verdicts.map(\.frames.read).reduce(0, +)
    seconds = duration / .seconds(1)
    self.seed = seed
  }
}
