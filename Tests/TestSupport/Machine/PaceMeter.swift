/// Skips a test's expectations about times if the host ran threads later than the expectations allow.
///
/// ```swift
/// let pace = PaceMeter(allowing: .milliseconds(8))
/// // Run the programs, and expect what does not depend on time.
/// try pace.expect { #expect((59.4...60.6).contains(rate)) }
/// ```
/// If a thread ran later than allowed, the programs may have run late too. A test whose expectations about times fail is
/// then skipped, with the measured delays as the reason. The bounds stay the same. Put expectations that do not depend on
/// time before ``expect(_:_:)``. If a program reports its own delay, use that delay in the expectation.
extension PaceMeter {
  /// Checks expectations about times. If one fails on a host that was too slow, it counts as a known issue, and the rest of
  /// the test is skipped.
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

  /// Skips the rest of the test. Writes a line with the test's name for `.ci/run` and `Tests/repeat`, because the framework
  /// does not report a single case of a parameterized test.
  package static func skip(
    _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Never {
    let name = Test.current.map { "\($0.id)".prefix { $0 != "(" } } ?? "a test"
    FileHandle.standardError.write(Data("Skipped for the machine's pace: \(name)\n".utf8))
    try Test.cancel(Comment(rawValue: reason), sourceLocation: sourceLocation)
  }
}
