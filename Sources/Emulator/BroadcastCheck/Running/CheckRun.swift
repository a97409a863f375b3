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
    let operations = scenarios.enumerated().map { index, scenario in
      BlockOperation {
        guard failure.withLock({ $0 == nil }) else { return }
        do throws(ProgramFailure) {
          let verdict = try verdict(on: scenario, in: "\(folder.path)/\(index)", interruption)
          reporting.withLock { _ in report(verdict) }
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    let queue = OperationQueue()
    for (isAlone, width) in [(false, Self.width), (true, 1)] {
      queue.maxConcurrentOperationCount = width
      queue.addOperations(
        zip(scenarios, operations).filter { $0.0.runsAlone == isAlone }.map(\.1), waitUntilFinished: true)
    }
    try folder.remove()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// The delay of the machine's threads that the bounds of the scenarios have room for.
  private static let allowedDelay = Duration.milliseconds(50)

  /// The final verdict on a scenario.
  private func verdict(
    on scenario: Scenario, in folder: String, _ interruption: Interruption
  ) throws(ProgramFailure) -> ScenarioVerdict {
    var runs = 0
    while true {
      runs += 1
      let pace = MachinePace(every: .seconds(1) / 30)
      let run = try ScenarioRun(
        scenario, of: subject, in: "\(folder)-\(runs)", seed: seed, interruption: interruption)
      var verdict = try run.run()
      verdict.runs = runs
      if verdict.isFinal(machineWasLate: pace.shortfall(allowing: Self.allowedDelay) != nil) {
        if verdict.hasFailed, let keepFolder { verdict.kept = try run.keep(in: keepFolder) }
        return verdict
      }
    }
  }
}
