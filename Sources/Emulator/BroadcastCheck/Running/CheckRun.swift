import CommandLineSupport
import Foundation
import Platform
import Programs
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

  package init(_ scenarios: [Scenario], of subject: CheckSubject, seed: UInt64, keepFolder: String?) {
    (self.scenarios, self.subject, self.seed, self.keepFolder) = (scenarios, subject, seed, keepFolder)
  }

  /// Runs the scenarios and removes their files. Throws the first failure of the check itself.
  ///
  /// - Parameter report: receives each verdict when it is there, one call at a time, on any thread.
  package func run(
    in folder: WorkFolder, interruption: Interruption, report: @escaping @Sendable (ScenarioVerdict) -> Void
  ) throws(ProgramFailure) {
    try folder.create()
    let failure = Mutex<ProgramFailure?>(nil)
    let reporting = Mutex(())
    let quietBroadcast = QuietBroadcast { time throws(ProgramFailure) in
      try endOfQuietBroadcast(lasting: time, in: "\(folder.path)/quiet", interruption)
    }
    let attempts = scenarios.enumerated().map {
      Attempts(scenario: $0.element, folder: "\(folder.path)/\($0.offset)")
    }
    let repeated = Mutex<[Attempts]>([])
    func run(_ attempts: [Attempts], sideBySide width: Int) {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
      let operations = attempts.map { attempts in
        BlockOperation {
          guard failure.withLock({ $0 == nil }) else { return }
          do throws(ProgramFailure) {
            var attempts = attempts
            if let verdict = try attempt(&attempts, quietBroadcast, interruption) {
              reporting.withLock { _ in report(verdict) }
            } else {
              repeated.withLock { $0.append(attempts) }
            }
          } catch {
            failure.withLock { $0 = $0 ?? error }
          }
        }
      }
      queue.addOperations(operations, waitUntilFinished: true)
    }
    run(attempts.filter { !$0.scenario.runsAlone }, sideBySide: Self.width)
    var alone = attempts.filter(\.scenario.runsAlone)
    // The scenarios beside it may have made the machine late: what runs again runs alone.
    repeat {
      alone += repeated.withLock { list in
        defer { list = [] }
        return list
      }
      run(alone, sideBySide: 1)
      alone = []
    } while repeated.withLock({ !$0.isEmpty }) && failure.withLock({ $0 == nil })
    try folder.remove()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// The delay of the machine's threads that the bounds of the scenarios have room for.
  private static let allowedDelay = Duration.milliseconds(50)

  /// The runs of a scenario.
  private struct Attempts: Sendable {
    let scenario: Scenario
    /// What the folder of each run begins with.
    let folder: String
    var runs = 0
  }

  /// Runs a scenario once more, and returns the final verdict; `nil` if it is to run again.
  private func attempt(
    _ attempts: inout Attempts, _ quietBroadcast: QuietBroadcast, _ interruption: Interruption
  ) throws(ProgramFailure) -> ScenarioVerdict? {
    attempts.runs += 1
    let scenario = attempts.scenario
    let pace = MachinePace(allowing: Self.allowedDelay, every: .seconds(1) / 30)
    let run = try ScenarioRun(
      scenario, of: subject, in: "\(attempts.folder)-\(attempts.runs)", seed: seed,
      interruption: interruption)
    var verdict = try run.run()
    verdict.runs = attempts.runs
    if verdict.hasFailed, scenario.isBuiltIn, subject.app?.isArticles != true, let end = run.handlersEnd,
      let result = try quietBroadcast.verdict(on: scenario.name, after: end, withoutApp: subject.app == nil)
    {
      (verdict.result, verdict.isCertain) = (result, true)
    }
    guard verdict.isFinal(machineWasLate: pace.shortfall != nil) else {
      return nil
    }
    if verdict.hasFailed, let keepFolder { verdict.kept = try run.keep(in: keepFolder) }
    return verdict
  }

  /// How the handler ends a broadcast without events; `nil` if the broadcast lasts this time.
  private func endOfQuietBroadcast(
    lasting time: Duration, in folder: String, _ interruption: Interruption
  ) throws(ProgramFailure) -> QuietBroadcast.End? {
    let run = try ScenarioRun(
      .quiet(time), of: subject, in: "\(folder)-\(time.decimalSeconds)", seed: seed,
      interruption: interruption)
    _ = try run.run()
    return run.handlersEnd
  }
}
