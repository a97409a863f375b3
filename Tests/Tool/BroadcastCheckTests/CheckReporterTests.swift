import CommandLineSupport
import TestSupport
import Testing

@testable import BroadcastCheck

@Suite struct CheckReporterTests {
  @Test(arguments: [0, 1] as [UInt64]) func aCheckSaysWhenNoPictureWasRead(read: UInt64) throws {
    let messages = CollectedStream()
    let reporter = CheckReporter(
      program: "check", console: Console(messages: messages.stream, errors: nil), lines: nil, total: 2
    ) { _ in "" }
    for frames in [(30, 0), (10, read)] as [(UInt64, UInt64)] {
      var verdict = ScenarioVerdict(
        scenario: Scenario("lock", checks: "A lock.", onDevice: "It ends.", steps: []),
        result: .passed(figures: []), duration: .zero)
      verdict.frames = frames
      reporter.report(verdict)
    }
    #expect(reporter.finish(after: .zero, seed: 1) == nil)
    #expect(try messages.text().contains("read none of 40 frames") == (read == 0))
  }
}
