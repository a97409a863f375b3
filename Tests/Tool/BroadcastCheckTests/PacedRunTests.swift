import CommandLineSupport
import TestSupport
import Testing

@testable import LaunchedPrograms

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

  @Test func aFailureThatMayDependOnTimesIsNotJudgedOnALateMachine() {
    let rulings = (1...PacedRun.limit).map {
      PacedRun.ruling(on: "It hangs.", isCertain: false, inRun: $0, shortfall: "3 turns late")
    }
    let why = "the machine was late (3 turns late), which may be why: It hangs"
    #expect(rulings == [.again, .again, .notJudged(why)])
  }

  @Test(
    arguments: [
      ("It hangs.", false, nil), ("It crashed.", true, "3 turns late"), (nil, false, "3 turns late"),
    ] as [(String?, Bool, String?)])
  func everyOtherVerdictIsFinalAtOnce(failure: String?, isCertain: Bool, shortfall: String?) {
    for run in 1...PacedRun.limit {
      let ruling = PacedRun.ruling(on: failure, isCertain: isCertain, inRun: run, shortfall: shortfall)
      #expect(ruling == .stands)
    }
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
