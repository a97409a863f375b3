import Causes
import TestSupport

@testable import BroadcastCheck

@Suite struct CheckReporterTests {
  private let messages = CollectedStream()

  /// Reports two verdicts; returns the failure of the check.
  private func report(
    _ verdicts: (name: String, change: (inout ScenarioVerdict) -> Void)...
  ) -> ProgramFailure? {
    let reporter = CheckReporter(
      program: "check", console: Console(messages: messages.stream, errors: nil), lines: nil, total: 2
    ) { _ in "" }
    for (name, change) in verdicts {
      var verdict = ScenarioVerdict(
        scenario: Scenario(name, checks: "A lock.", onDevice: "It ends.", steps: []),
        result: .passed(figures: []), duration: .zero)
      change(&verdict)
      reporter.report(verdict)
    }
    return reporter.finish(after: .zero, seed: 1)
  }

  @Test(arguments: [0, 1] as [UInt64]) func aCheckSaysWhenNoPictureWasRead(read: UInt64) throws {
    #expect(report(("lock", { $0.frames = (30, 0) }), ("lock", { $0.frames = (10, read) })) == nil)
    #expect(try messages.text().contains("read none of 40 frames") == (read == 0))
  }

  @Test func theEndHasTheNumberOfCausesAndSaysOfAHandlerOfSoundWhatItReads() throws {
    func crash(_ verdict: inout ScenarioVerdict) {
      verdict.result = .failed("It crashed.")
      verdict.cause = Cause(.appCrashed, "exited with code 3", from: .zero, "It crashed.")
      (verdict.frames, verdict.audioReads) = ((10, 0), 5)
    }
    let failure = report(("lock", crash), ("pace", crash))
    #expect(failure?.message == "2 of 2 scenarios failed, by 1 cause: lock, pace.")
    let text = try messages.text()
    #expect(text.contains("0 passed, 2 failed, by 1 cause, 0 not judged"))
    #expect(text.contains("Same cause as 'lock'."))
    #expect(text.contains("read audio, but none of 20 frames") && !text.contains("--app"))
  }
}
