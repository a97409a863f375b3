import Foundation
import LaunchedPrograms
import Synchronization
import Testing

/// Measures beside a test how late the machine runs threads, and skips the test's expectations about times where that was
/// later than they allow.
///
/// ```swift
/// let pace = PaceMeter(allowing: .milliseconds(8))
/// // Run the programs, and expect what does not depend on time.
/// try pace.expect { #expect((59.4...60.6).contains(rate)) }
/// ```
/// Where a thread was later than allowed, so may the programs have been: a test whose expectations about times fail is then
/// skipped, with the figures as the reason. The bounds stay the same, and expectations that do not depend on time come
/// before ``expect(_:_:)``.
package final class PaceMeter: Sendable {
  private let pace: MachinePace

  /// Starts to measure. `allowance` is the delay of a thread's turn that the test's bounds have room for; `work` and
  /// `period` are those of a `MachinePace`. By default there are 60 turns a second, and 30 if `allowance` is above 20 ms:
  /// a turn takes processor time, which the programs need.
  package init(
    allowing allowance: Duration, work: Duration = .milliseconds(2), every period: Duration? = nil
  ) {
    pace = MachinePace(
      allowing: allowance, work: work,
      every: period ?? .seconds(1) / (allowance > .milliseconds(20) ? 30 : 60))
  }

  /// The delays that the machine caused, in words; `nil` if each was in the allowance.
  package var shortfall: String? {
    pace.shortfall.map { "The machine was too slow for this test: \($0)." }
  }

  /// Runs expectations about times. If one fails on a machine that was too slow, it counts as a known issue, and the rest
  /// of the test is skipped.
  package func expect(_ sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws {
    guard let shortfall else { return try body() }
    let hasFailed = Atomic(false)
    let reason = Comment(rawValue: shortfall)
    try withKnownIssue(
      reason, isIntermittent: true, sourceLocation: sourceLocation, body,
      matching: { _ in
        hasFailed.store(true, ordering: .relaxed)
        return true
      })
    if hasFailed.load(ordering: .relaxed) {
      try Self.skip(shortfall, sourceLocation: sourceLocation)
    }
  }

  /// Skips the rest of the test, and writes a line with its name for `.ci/run` and `Tests/repeat`: the framework writes none
  /// for one case of a test with arguments.
  package static func skip(
    _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Never {
    let name = Test.current.map { "\($0.id)".prefix { $0 != "(" } } ?? "a test"
    FileHandle.standardError.write(Data("Skipped for the machine's pace: \(name)\n".utf8))
    try Test.cancel(Comment(rawValue: reason), sourceLocation: sourceLocation)
  }
}
