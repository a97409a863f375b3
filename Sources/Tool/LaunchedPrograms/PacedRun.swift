import CommandLineSupport
import Foundation
import Synchronization

/// A run of a judgement on a machine that may be late, which threads beside it measure.
///
/// ```swift
/// try PacedRun.each(of: scenarios, sideBySide: 8, alone: \.runsAlone) { scenario, run in
///   run.ruling(on: failure(of: scenario), isCertain: false) != .again
/// }
/// ```
package struct PacedRun: Sendable {
  /// The number of the last run of a subject.
  package static let limit = 3
  /// The delay of the machine's threads that the bounds of the judgements have room for.
  private static let allowedDelay = Duration.milliseconds(50)

  /// The number of this run of its subject, from 1.
  package let number: Int
  private let pace = MachinePace(allowing: Self.allowedDelay, every: .seconds(1) / 30)

  /// The delays that the machine caused, as a sentence without a full stop; `nil` if none was above the allowance.
  package var shortfall: String? { pace.shortfall }

  /// What follows from a run.
  package enum Ruling: Equatable, Sendable {
    /// The verdict on the run is final.
    case stands
    case again
    /// The machine may be why the subject failed: the reason, without a full stop.
    case notJudged(String)
  }

  /// What follows from a run with the failure `failure`, a sentence, or with none. A failure that may depend on times counts
  /// only on a machine that ran threads on time.
  package func ruling(on failure: String?, isCertain: Bool) -> Ruling {
    Self.ruling(on: failure, isCertain: isCertain, inRun: number, shortfall: shortfall)
  }

  static func ruling(on failure: String?, isCertain: Bool, inRun number: Int, shortfall: String?) -> Ruling {
    guard let failure, !isCertain, let shortfall else { return .stands }
    guard number == limit else { return .again }
    let seen = failure.hasSuffix(".") ? String(failure.dropLast()) : failure
    return .notJudged("the machine was late (\(shortfall)), which may be why: \(seen)")
  }

  /// Runs each subject until `body` returns that its verdict is final. Throws the first failure, after which no run begins.
  ///
  /// - Parameters:
  ///   - width: how many subjects run side by side.
  ///   - alone: whether a subject runs with nothing beside it. What runs again runs alone too: the runs beside it may have
  ///     made the machine late.
  package static func each<Subject: Sendable>(
    of subjects: [Subject], sideBySide width: Int, alone: (Subject) -> Bool,
    _ body: @escaping @Sendable (Subject, PacedRun) throws(ProgramFailure) -> Bool
  ) throws(ProgramFailure) {
    let failure = Mutex<ProgramFailure?>(nil)
    let repeated = Mutex<[(subject: Subject, number: Int)]>([])
    func run(_ list: [(subject: Subject, number: Int)], sideBySide width: Int) {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
      let operations = list.map { next in
        BlockOperation {
          guard failure.withLock({ $0 == nil }) else { return }
          do throws(ProgramFailure) {
            if try !body(next.subject, PacedRun(number: next.number)) {
              repeated.withLock { $0.append((next.subject, next.number + 1)) }
            }
          } catch {
            failure.withLock { $0 = $0 ?? error }
          }
        }
      }
      queue.addOperations(operations, waitUntilFinished: true)
    }
    run(subjects.filter { !alone($0) }.map { ($0, 1) }, sideBySide: width)
    var rest = subjects.filter(alone).map { (subject: $0, number: 1) }
    repeat {
      rest += repeated.withLock { list in
        defer { list = [] }
        return list
      }
      run(rest, sideBySide: 1)
      rest = []
    } while repeated.withLock({ !$0.isEmpty }) && failure.withLock({ $0 == nil })
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  init(number: Int) { self.number = number }
}
