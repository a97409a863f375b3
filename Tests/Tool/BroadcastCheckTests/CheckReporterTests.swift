import Causes
import CommandLineSupport
import Platform
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

  @Test func theEndHasTheNumberOfCausesAndSaysOfAHandlerOfSoundWhatItReads() throws {
    let messages = CollectedStream()
    let reporter = CheckReporter(
      program: "check", console: Console(messages: messages.stream, errors: nil), lines: nil, total: 2
    ) { _ in "" }
    for name in ["lock", "pace"] {
      var verdict = ScenarioVerdict(
        scenario: Scenario(name, checks: "A lock.", onDevice: "It ends.", steps: []),
        result: .failed("It crashed."), duration: .zero)
      verdict.cause = Cause(.appCrashed, "exited with code 3", from: .zero, "It crashed.")
      (verdict.frames, verdict.audioReads) = ((10, 0), 5)
      reporter.report(verdict)
    }
    let failure = reporter.finish(after: .zero, seed: 1)
    #expect(failure?.message == "2 of 2 scenarios failed, by 1 cause: lock, pace.")
    let text = try messages.text()
    #expect(text.contains("0 passed, 2 failed, by 1 cause, 0 not judged"))
    #expect(text.contains("Same cause as 'lock'."))
    #expect(text.contains("read audio, but none of 20 frames") && !text.contains("--app"))
  }
}
