import Testing

@testable import endurance

@Suite struct KillRunTests {
  private func result(rounds: Int, keyWrites: Int) -> KillRun.Result {
    var result = KillRun.Result(seed: 1)
    (result.rounds, result.insidePublish, result.insideRingMaking) = (rounds, 5, 5)
    (result.insideKeyWrite, result.insideLease) = (keyWrites, 5)
    return result
  }

  @Test func aLongRunThatNeverHitAMomentProvesNothingOfIt() {
    let long = KillRun.roundsThatHitAll
    #expect(KillRun.missedMoments(of: result(rounds: long, keyWrites: 1)) == [])
    let missed = KillRun.missedMoments(of: result(rounds: long, keyWrites: 0))
    #expect(missed.count == 1 && missed[0].contains("inside a write of keys"))
  }

  @Test func aShortRunNeedNotHitThemAll() {
    #expect(KillRun.missedMoments(of: result(rounds: 40, keyWrites: 0)) == [])
  }
}
