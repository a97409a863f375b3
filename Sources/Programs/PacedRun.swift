import CommandLineSupport
import Foundation
import Synchronization

/// A run of a judgement on a machine that may be late, which threads beside it measure.
///
/// ```swift
/// try PacedRun.each(of: scenarios, sideBySide: 8, alone: \.runsAlone) { scenario, run in
///   hasPassed(scenario) || run.shortfall == nil || run.number == PacedRun.limit
/// }
/// ```
package struct PacedRun: Sendable {
  /// The number of the last run of a subject, whose verdict is final.
  package static let limit = 3
  /// The delay of the machine's threads that the bounds of the judgements have room for.
  private static let allowedDelay = Duration.milliseconds(50)

  /// The number of this run of its subject, from 1.
  package let number: Int
  private let pace = MachinePace(allowing: Self.allowedDelay, every: .seconds(1) / 30)

  /// The delays that the machine caused, as a sentence without a full stop; `nil` if none was above the allowance.
  package var shortfall: String? { pace.shortfall }

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
