import Testing

@testable import BroadcastCheck

@Suite struct VerdictTests {
  private func isFinal(_ result: ScenarioVerdict.Result, certain: Bool = false, run: Int, late: Bool) -> Bool
  {
    let scenario = Scenario(name: "lock", checks: "What.", onDevice: "What else.")
    return ScenarioVerdict(
      scenario: scenario, result: result, duration: .seconds(1), isCertain: certain, runs: run
    )
    .isFinal(machineWasLate: late)
  }

  @Test func aFailureOnALateMachineIsFinalInTheThirdRunOnly() {
    #expect((1...3).map { isFinal(.failed("No frame."), run: $0, late: true) } == [false, false, true])
  }

  @Test func everyOtherVerdictIsFinalAtOnce() {
    #expect(isFinal(.failed("No frame."), run: 1, late: false))
    #expect(isFinal(.failed("It crashed."), certain: true, run: 1, late: true))
    #expect(isFinal(.passed(figures: []), run: 1, late: true))
    #expect(isFinal(.doesNotApply("it needs an app"), run: 1, late: true))
  }
}
