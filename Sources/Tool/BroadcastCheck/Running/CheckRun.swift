import Causes
import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import Synchronization

/// A run of several scenarios: those that mostly wait side by side, then those that measure times one by one.
package struct CheckRun: Sendable {
  let scenarios: [Scenario]
  let subject: CheckSubject
  /// The seed of the random times, together with that of each scenario.
  let seed: UInt64
  /// How many scenarios run side by side, on any number of processors: they mostly wait.
  private static let width = 8
  /// The folder that gets what the processes of failed scenarios wrote, if any does.
  let keepFolder: String?
  private let hangs = KnownHangs()

  package init(_ scenarios: [Scenario], of subject: CheckSubject, seed: UInt64, keepFolder: String?) {
    (self.scenarios, self.subject, self.seed, self.keepFolder) = (scenarios, subject, seed, keepFolder)
  }

  /// Runs the scenarios and removes their files. Throws the first failure of the check itself.
  ///
  /// - Parameter report: receives each verdict when it is there, one call at a time, on any thread.
  package func run(
    in folder: TemporaryFolder, interruption: Interruption,
    report: @escaping @Sendable (ScenarioVerdict) -> Void
  ) throws(ProgramFailure) {
    try folder.create()
    let reporting = Mutex(())
    let quietBroadcast = QuietBroadcast { time throws(ProgramFailure) in
      try endOfQuietBroadcast(lasting: time, in: "\(folder.path)/quiet", interruption)
    }
    let result = Result { () throws(ProgramFailure) in
      try PacedRun.each(
        of: Array(scenarios.enumerated()), sideBySide: Self.width, alone: \.element.runsAlone
      ) { subject, run throws(ProgramFailure) in
        let folder = "\(folder.path)/\(subject.offset)-\(run.number)"
        guard let verdict = try verdict(on: subject.element, run, in: folder, quietBroadcast, interruption)
        else { return false }
        reporting.withLock { _ in report(verdict) }
        return true
      }
    }
    try folder.remove()
    try result.get()
  }

  /// Runs a scenario once more, and returns the final verdict; `nil` if it is to run again.
  private func verdict(
    on scenario: Scenario, _ pacedRun: PacedRun, in folder: String, _ quietBroadcast: QuietBroadcast,
    _ interruption: Interruption
  ) throws(ProgramFailure) -> ScenarioVerdict? {
    let run = try ScenarioRun(
      scenario, of: subject, in: folder, seed: seed, hangs: hangs,
      interruption: interruption)
    var verdict = try run.run()
    verdict.runs = pacedRun.number
    if let cause = verdict.cause, scenario.isBuiltIn, subject.app == nil,
      let time = run.timeBeforeEnd(cause)
    {
      switch try quietBroadcast.compare(cause, after: time) {
      case .other: break
      case .unclear: verdict.isCertain = false
      case .same:
        verdict.result = .doesNotApply(
          "the handler needs its app, which does not run here; name its program with --app. " + cause.sentence
        )
        verdict.cause =
          subject.design.refusesWithoutApp ? nil : Cause(.needsApp, from: cause.from, cause.sentence)
      }
    }
    switch pacedRun.ruling(on: verdict.failure, isCertain: verdict.isCertain) {
    case .stands: break
    case .again: return nil
    case .notJudged(let why): (verdict.result, verdict.cause) = (.doesNotApply(why), nil)
    }
    if verdict.hasFailed, let keepFolder { verdict.kept = run.keep(in: keepFolder) }
    return verdict
  }

  /// How the handler ends a broadcast without events of this length.
  private func endOfQuietBroadcast(
    lasting time: Duration, in folder: String, _ interruption: Interruption
  ) throws(ProgramFailure) -> QuietBroadcast.End? {
    let run = try ScenarioRun(
      .quiet(time), of: subject, in: "\(folder)-\(SystemClock().now.nanoseconds)", seed: seed,
      hangs: hangs, interruption: interruption)
    guard let cause = try run.run().cause else { return nil }
    return run.timeBeforeEnd(cause).map {
      QuietBroadcast.End(cause: cause.fingerprint, time: $0, frames: run.framesBeforeEnd)
    }
  }
}
