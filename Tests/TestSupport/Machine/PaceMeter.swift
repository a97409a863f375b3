import Foundation
import LaunchedPrograms
import Synchronization
import Testing

/// Skips a test's expectations about times where the machine ran threads later than they allow.
///
/// ```swift
/// let pace = PaceMeter(allowing: .milliseconds(8))
/// // Run the programs, and expect what does not depend on time.
/// try pace.expect { #expect((59.4...60.6).contains(rate)) }
/// ```
/// Where a thread was later than allowed, so may the programs have been: a test whose expectations about times fail is then
/// skipped, with the figures as the reason. The bounds stay the same, and expectations that do not depend on time come
/// before ``expect(_:_:)``. Where a program reports its own delay, an expectation goes by that.
extension PaceMeter {
  /// Runs expectations about times. If one fails on a machine that was too slow, it counts as a known issue, and the rest
  /// of the test is skipped.
  package func expect(_ sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws {
    guard let delays = shortfall else { return try body() }
    let reason = "The machine was too slow for this test: \(delays)."
    let hasFailed = Atomic(false)
    try withKnownIssue(
      Comment(rawValue: reason), isIntermittent: true, sourceLocation: sourceLocation, body,
      matching: { _ in
        hasFailed.store(true, ordering: .relaxed)
        return true
      })
    if hasFailed.load(ordering: .relaxed) { try Self.skip(reason, sourceLocation: sourceLocation) }
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
