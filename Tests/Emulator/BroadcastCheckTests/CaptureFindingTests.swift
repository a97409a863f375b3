import Programs
import RunReports
import Testing

@testable import CaptureApp

@Suite struct CaptureFindingTests {
  private let hang = Finding(.failed("The app hangs."))

  @Test func aFailureThatMayDependOnTimesIsNotJudgedOnALateMachine() {
    #expect((1...2).map { hang.verdict(inRun: $0, shortfall: "3 turns late") } == [nil, nil])
    #expect(
      hang.verdict(inRun: PacedRun.limit, shortfall: "3 turns late")
        == .notJudged("the machine was late (3 turns late), which may be why: The app hangs"))
  }

  @Test func itCountsOnAMachineThatIsOnTime() {
    #expect((1...3).allSatisfy { hang.verdict(inRun: $0, shortfall: nil) == .failed("The app hangs.") })
  }

  @Test func everyOtherFindingIsFinalAtOnce() {
    let results: [Verdict.Result] = [.passed("60 frames"), .notJudged("the app showed no picker")]
    for result in results { #expect(Finding(result).verdict(inRun: 1, shortfall: "late") == result) }
    #expect(Finding.certain("It crashed.").verdict(inRun: 1, shortfall: "late") == .failed("It crashed."))
  }
}
