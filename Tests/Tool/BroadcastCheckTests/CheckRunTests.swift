import Causes
import TestSupport

@testable import BroadcastCheck

@Suite struct CheckRunTests {
  @Test func whatIsNotFinalRunsAgainAfterTheOthersAndAlone() throws {
    let runs = Recorder<String>()
    try CheckRun.each(of: ["a", "b", "alone"], sideBySide: 2, alone: { $0 == "alone" }) { subject, number in
      runs.add("\(subject)\(number)")
      return subject != "b" || number == CheckRun.lastRun
    }
    #expect(Set(runs.values.prefix(2)) == ["a1", "b1"])
    #expect(runs.values.dropFirst(2) == ["alone1", "b2", "b3"])
  }

  /// Scenarios sleep most of the time. The threads of a queue then begin one each second.
  @Test func scenariosBeginTogether() throws {
    let pace = PaceMeter(allowing: .milliseconds(50))
    let (begun, start) = (Recorder<Int>(), SystemClock().now)
    try CheckRun.each(of: Array(0..<8), sideBySide: 8, alone: { _ in false }) { subject, _ in
      begun.add(subject)
      return holds { begun.values.count == 8 }
    }
    #expect(begun.values.count == 8)
    try pace.expect { #expect(SystemClock().now - start < .seconds(2)) }
  }

  private func verdict(_ failure: String?, isCertain: Bool = false, run: Int) -> ScenarioVerdict {
    ScenarioVerdict(
      scenario: Scenario("a", checks: "What.", onDevice: "Why.", steps: []),
      result: failure.map { .failed($0) } ?? .passed(figures: []), duration: .zero, isCertain: isCertain,
      runs: run)
  }

  @Test func aFailureThatMayDependOnTimesIsNotJudgedOnALateMachine() {
    for run in 1..<CheckRun.lastRun {
      var verdict = verdict("It hangs.", run: run)
      let isFinal = verdict.isFinal(shortfall: "3 turns late")
      #expect(!isFinal)
    }
    var last = verdict("It hangs.", run: CheckRun.lastRun)
    let isFinal = last.isFinal(shortfall: "3 turns late")
    #expect(isFinal)
    let why = "the host was overloaded (3 turns late), which may be the cause: It hangs"
    #expect(last.result == .notJudged(why) && last.cause == nil)
  }

  @Test(
    arguments: [
      ("It hangs.", false, nil), ("It crashed.", true, "3 turns late"), (nil, false, "3 turns late"),
    ] as [(String?, Bool, String?)])
  func everyOtherVerdictIsFinalAtOnce(failure: String?, isCertain: Bool, shortfall: String?) {
    for run in 1...CheckRun.lastRun {
      var verdict = verdict(failure, isCertain: isCertain, run: run)
      let result = verdict.result
      let isFinal = verdict.isFinal(shortfall: shortfall)
      #expect(isFinal && verdict.result == result)
    }
  }

  /// Punctual threads do not rule out too few CPUs, which only measurements of time suffer from.
  @Test func whatIsMeasuredInTimeIsNotJudgedOnACrowdedMachine() {
    var (time, lost) = (verdict("18 ms.", run: 3), verdict("Lost.", run: 3))
    time.scenario.runsAlone = true
    lost.cause = Cause(.recordingWrong, "sound lost", from: .zero, "Lost.")
    var doubtful = verdict(nil, run: 3)
    doubtful.doubt = "It has half its sound."
    let words = [time, lost, verdict("It hangs.", run: 3), doubtful].map { verdict in
      var verdict = verdict
      let isFinal = verdict.isFinal(shortfall: nil, crowding: "31 threads were runnable")
      return isFinal ? verdict.word : ""
    }
    #expect(words == ["notJudged", "notJudged", "failed", "notJudged"])
  }

  @Test func aRecordingOfALateEncoderIsRepeatedAndThenNotJudged() {
    var words: [String] = []
    for run in 1...3 {
      var late = verdict(nil, run: run)
      (late.doubt, late.hasLateEncoder) = ("The encoder of film.mp4 took 12 of 60 frames.", true)
      words.append(late.isFinal(shortfall: nil) ? late.word : "again")
    }
    #expect(words == ["again", "again", "notJudged"])
  }

  @Test func noRunBeginsAfterAFailure() {
    let runs = Recorder<String>()
    let failure = #expect(throws: ProgramFailure.self) {
      try CheckRun.each(of: ["a", "b"], sideBySide: 1, alone: { _ in false }) {
        subject, _ throws(ProgramFailure) in
        runs.add(subject)
        throw ProgramFailure(.inputOutput, "The disk is full.")
      }
    }
    #expect(failure?.message == "The disk is full." && runs.values == ["a"])
  }

  /// The ends of two control runs, and their comparison with an end after two seconds.
  static let ends: [(ScenarioVerdict.HandlerEnd?, ScenarioVerdict.HandlerEnd?, CheckRun.Comparison)] = [
    (end(), end(after: 2.3), .same), (end(), end(after: 3, frames: 60), .same),
    // An overloaded host, a different error, and a broadcast that continues.
    (end(), end(after: 3), .unclear), (end(), end("ended Team 2"), .other), (end(), nil, .other),
    (nil, nil, .other),
  ]

  private static func end(
    _ cause: String = "ended Team 1", after seconds: Double = 2, frames: Int? = nil
  ) -> ScenarioVerdict.HandlerEnd {
    ScenarioVerdict.HandlerEnd(cause: cause, time: .seconds(seconds), frames: frames ?? Int(seconds * 30))
  }

  @Test(arguments: 0..<6) func anEndThatTwoControlsHaveIsTheEndOfAMissingApp(_ index: Int) throws {
    let (first, second, comparison) = Self.ends[index]
    var (runs, known) = (0, CheckRun.Controls(.zero, nil, []))
    for _ in 0..<5 {
      let result = try CheckRun.compare(Self.end(), with: &known) { time throws(ProgramFailure) in
        #expect(time == .seconds(5))
        runs += 1
        return runs % 2 == 1 ? first : second
      }
      #expect(result == comparison)
    }
    // Later comparisons run no controls. If the times of the ends differ, two of them run another pair.
    #expect(runs == (first == nil ? 1 : comparison == .unclear ? 6 : 2))
  }
}
