import Causes
import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import Synchronization

/// A run of several scenarios: first the scenarios that mostly wait (in parallel), then the scenarios that measure times (one by
/// one).
package final class CheckRun: Sendable {
  let scenarios: [Scenario]
  let subject: CheckSubject
  /// The seed of the random times, combined with the seed of each scenario.
  let seed: UInt64
  /// How many scenarios run in parallel. It does not depend on the number of CPUs, because the scenarios mostly wait.
  private static let width = 8
  /// The maximum number of runs of a scenario.
  static let lastRun = 3
  /// The delay of threads that the bounds of the scenarios allow for.
  private static let allowedDelay = Duration.milliseconds(50)
  /// The folder for the output of the processes of failed scenarios; `nil` to keep no output.
  let keepFolder: String?
  private let hangs = KnownHangs()
  /// Held during a control, so that all scenarios share one.
  private let controls = Mutex(Controls(.zero, nil, []))

  package init(_ scenarios: [Scenario], of subject: CheckSubject, seed: UInt64, keepFolder: String?) {
    self.scenarios = scenarios
    self.subject = subject
    self.seed = seed
    self.keepFolder = keepFolder
  }

  /// Runs the scenarios and removes their files. Throws the first failure of the check itself.
  ///
  /// - Parameter report: receives each verdict as soon as it is known, one call at a time, on any thread.
  package func run(
    in folder: TemporaryFolder, interruption: Interruption,
    report: @escaping @Sendable (ScenarioVerdict) -> Void
  ) throws(ProgramFailure) {
    try folder.create()
    // A thread that ends may hold the closure longer than this call takes. The closure does not hold the folder, because otherwise
    // the program could exit before the folder is removed.
    let top = folder.path
    let reporting = Mutex(())
    try Self.each(of: Array(scenarios.enumerated()), alone: \.element.runsAlone) {
      [self] subject, number throws(ProgramFailure) in
      let path = "\(top)/\(subject.offset)-\(number)"
      guard let verdict = try verdict(on: subject.element, run: number, in: path, interruption) else {
        return false
      }
      reporting.withLock { _ in report(verdict) }
      return true
    }
    try folder.remove()
  }

  /// Runs each subject until `body` returns that its verdict is final. Throws the first failure, after which no run begins.
  ///
  /// - Parameters:
  ///   - alone: whether nothing runs in parallel with a subject. Every repeated run is alone, because the parallel runs may have
  ///     overloaded the host.
  ///   - body: receives a subject and the number of its run (from 1).
  static func each<Subject: Sendable>(
    of subjects: [Subject], sideBySide width: Int = width, alone: (Subject) -> Bool,
    _ body: @escaping @Sendable (Subject, Int) throws(ProgramFailure) -> Bool
  ) throws(ProgramFailure) {
    let failure = Mutex<ProgramFailure?>(nil)
    let waiting = Mutex(subjects.filter { !alone($0) }.map { (subject: $0, number: 1) })
    func run(sideBySide width: Int) {
      let list = Mutex(
        waiting.withLock { list in
          defer { list = [] }
          return list[...]
        })
      let group = DispatchGroup()
      // Scenarios sleep most of the time. A queue would start only as many threads as there are CPUs, and one more each second.
      for _ in 0..<width {
        group.enter()
        Thread.detachNewThread {
          while failure.withLock({ $0 == nil }), let next = list.withLock({ $0.popFirst() }) {
            do throws(ProgramFailure) {
              if try !body(next.subject, next.number) {
                waiting.withLock { $0.append((next.subject, next.number + 1)) }
              }
            } catch {
              failure.withLock { $0 = $0 ?? error }
            }
          }
          group.leave()
        }
      }
      group.wait()
    }
    run(sideBySide: width)
    waiting.withLock { $0 = subjects.filter(alone).map { ($0, 1) } + $0 }
    while waiting.withLock({ !$0.isEmpty }), failure.withLock({ $0 == nil }) { run(sideBySide: 1) }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Runs a scenario once more. Returns the final verdict; `nil` if the scenario must run again.
  private func verdict(
    on scenario: Scenario, run number: Int, in folder: String, _ interruption: Interruption
  ) throws(ProgramFailure) -> ScenarioVerdict? {
    let pace = PaceMeter(allowing: Self.allowedDelay)
    let run = try ScenarioRun(
      scenario, of: subject, in: folder, seed: seed, hangs: hangs, interruption: interruption)
    var verdict = try run.run()
    verdict.runs = number
    if let cause = verdict.cause, let end = verdict.handlerEnd, scenario.isBuiltIn, subject.app == nil {
      let comparison = try controls.withLock { controls throws(ProgramFailure) in
        try Self.compare(end, with: &controls) { time throws(ProgramFailure) in
          try endOfControl(lasting: time, in: folder, interruption)
        }
      }
      switch comparison {
      case .other: break
      case .unclear: verdict.isCertain = false
      case .same:
        verdict.result = .notJudged(
          "the handler needs its app, but no app runs here; name it with --app. " + cause.sentence
        )
        verdict.cause =
          subject.design.refusesWithoutApp ? nil : Cause(.needsApp, from: cause.from, cause.sentence)
      }
    }
    guard verdict.isFinal(shortfall: pace.shortfall, crowding: pace.crowding) else { return nil }
    if verdict.hasFailed, let keepFolder { verdict.kept = run.keep(in: keepFolder) }
    return verdict
  }
}

// The control of a failure without an app: a broadcast in which nothing happens. A handler that misses its app ends the control
// with the same error, and a second control at the same time or frame. A handler on an overloaded host ends at varying times.
extension CheckRun {
  /// The duration of the longest control, the cause that ended two controls in the same way, and the causes that ended two
  /// controls at different times.
  typealias Controls = (lasted: Duration, cause: String?, differing: [String])

  /// How an end compares with the ends of the controls.
  enum Comparison {
    case same, other
    /// The handler ends the controls too, but at different times. Host load may be the reason.
    case unclear
  }

  /// The extra time that a handler may need in parallel with other scenarios.
  private static let margin = Duration.seconds(3)
  /// The number of pairs of controls with different times after which such a control is not repeated.
  private static let limit = 3
  /// The maximum difference between two ends that count as the same time.
  private static let sameTime = Duration.milliseconds(500)

  /// Compares the end of a scenario with the ends of the controls.
  ///
  /// - Parameter run: runs a control for a duration, and returns its end by the handler.
  static func compare(
    _ end: ScenarioVerdict.HandlerEnd, with known: inout Controls,
    _ run: (Duration) throws(ProgramFailure) -> ScenarioVerdict.HandlerEnd?
  ) throws(ProgramFailure) -> Comparison {
    // The handler refused the first start.
    if end.time == .zero { return .same }
    let wanted = end.time + margin
    if known.cause == nil, known.lasted < wanted {
      if let first = try run(wanted), let second = try run(wanted), first.cause == second.cause {
        let difference = max(first.time, second.time) - min(first.time, second.time)
        if difference <= sameTime || first.frames == second.frames {
          known.cause = first.cause
        } else {
          known.differing.append(first.cause)
        }
      }
      // Otherwise the next scenario runs a pair of controls again.
      if !(1..<limit).contains(known.differing.count) { known.lasted = wanted }
    }
    if known.cause == end.cause { return .same }
    return known.differing.contains(end.cause) ? .unclear : .other
  }

  private func endOfControl(
    lasting time: Duration, in folder: String, _ interruption: Interruption
  ) throws(ProgramFailure) -> ScenarioVerdict.HandlerEnd? {
    let scenario = Scenario(
      "quiet", checks: "A broadcast in which nothing happens.", onDevice: "It ends.",
      steps: [.launch(.extension, arguments: []), .control(.extension, .wait, within: time)])
    return try ScenarioRun(
      scenario, of: subject, in: "\(folder)-\(SystemClock().now.nanoseconds)", seed: seed, hangs: hangs,
      interruption: interruption
    ).run().handlerEnd
  }
}
