import CommandLineSupport
import Programs
import TestSupport
import Testing

@Suite struct PacedRunTests {
  @Test func whatIsNotFinalRunsAgainAfterTheOthersAndAlone() throws {
    let runs = Recorder<String>()
    try PacedRun.each(of: ["a", "b", "alone"], sideBySide: 2, alone: { $0 == "alone" }) { subject, run in
      runs.add("\(subject)\(run.number)")
      return subject != "b" || run.number == PacedRun.limit
    }
    #expect(Set(runs.values.prefix(2)) == ["a1", "b1"])
    #expect(runs.values.dropFirst(2) == ["alone1", "b2", "b3"])
  }

  @Test func noRunBeginsAfterAFailure() {
    let runs = Recorder<String>()
    let failure = #expect(throws: ProgramFailure.self) {
      try PacedRun.each(of: ["a", "b"], sideBySide: 1, alone: { _ in false }) {
        subject, _ throws(ProgramFailure) in
        runs.add(subject)
        throw ProgramFailure(.inputOutput, "The disk is full.")
      }
    }
    #expect(failure?.message == "The disk is full." && runs.values == ["a"])
  }
}
