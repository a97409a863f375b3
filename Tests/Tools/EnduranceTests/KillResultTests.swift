import Testing

@testable import endurance

@Suite struct KillResultTests {
  private func result(rounds: Int, missing: Moment) -> KillResult {
    var result = KillResult(seed: 1)
    result.rounds = rounds
    for moment in Moment.allCases where moment != missing { result.count(moment) }
    return result
  }

  @Test(arguments: [
    (Moment.publish, "inside a publish"), (.ringCreation, "inside the creation of a ring"),
    (.keyWrite, "inside a write of keys"), (.lease, "inside a lease"),
  ])
  func aLongRunReportsMomentsThatNoKillHit(_ moment: Moment, _ name: String) {
    var result = result(rounds: KillResult.roundsThatHitAll, missing: moment)
    #expect(result.missedMoments.count == 1 && result.missedMoments[0].contains(name))
    result.count(moment)
    #expect(result.missedMoments == [])
  }

  @Test func aShortRunMayMissMoments() {
    #expect(result(rounds: 40, missing: .lease).missedMoments == [])
  }
}
