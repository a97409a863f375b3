import Testing

@testable import endurance

@Suite struct KillResultTests {
  private func result(rounds: Int, keyWrites: Int) -> KillResult {
    var result = KillResult(seed: 1)
    (result.rounds, result.insidePublish, result.insideRingMaking) = (rounds, 5, 5)
    (result.insideKeyWrite, result.insideLease) = (keyWrites, 5)
    return result
  }

  @Test func aLongRunReportsMomentsThatNoKillHit() {
    let long = KillResult.roundsThatHitAll
    #expect(result(rounds: long, keyWrites: 1).missedMoments == [])
    let missed = result(rounds: long, keyWrites: 0).missedMoments
    #expect(missed.count == 1 && missed[0].contains("inside a write of keys"))
  }

  @Test func aShortRunMayMissMoments() {
    #expect(result(rounds: 40, keyWrites: 0).missedMoments == [])
  }
}
