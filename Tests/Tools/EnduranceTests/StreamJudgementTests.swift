import Testing

@testable import endurance

@Suite struct StreamJudgementTests {
  /// A minute as it should be.
  private let good = StreamJudgement(
    secondsAsked: 60, secondsProduced: 60.2, framesProduced: 3612, framesPerSecond: 60,
    avOffsetsMs: (0..<60).map { -7 + Double($0 % 5) })

  /// The failures of a good run that differs in one thing.
  private func failures(_ change: (inout StreamJudgement) -> Void) -> [String] {
    var judgement = good
    change(&judgement)
    return judgement.failures
  }

  @Test func aCorrectRunPasses() {
    #expect(good.failures == [])
    // On a busy machine a few pictures of a hundred thousand are missing.
    #expect(failures { ($0.framesProduced, $0.framesPerSecond) = (3580, 59.47) } == [])
  }

  @Test func aRunThatIsTooShortFails() {
    #expect(failures { ($0.secondsProduced, $0.framesProduced) = (59.9, 3594) }.count == 1)
  }

  @Test func tooFewAndTooManyFramesFail() {
    #expect(failures { $0.framesProduced = 3575 }.count == 1)
    #expect(failures { $0.framesProduced = 3650 }.count == 1)
    #expect(failures { $0.framesPerSecond = 59.3 }.count == 1)
  }

  @Test func aChangingOffsetOfAudioFailsInBothDirections() {
    for sign in [1.0, -1] {
      let slowly = (0..<60).map { sign * Double($0) * 0.6 }
      #expect(failures { $0.avOffsetsMs = slowly }.count == 1)
      #expect(failures { $0.avOffsetsMs = slowly.map { $0 / 4 } } == [])
    }
  }

  @Test func oneLargeOffsetIsNotDrift() {
    #expect(failures { $0.avOffsetsMs[50] = 400 } == [])
  }

  @Test func aLongRunWithoutOffsetsFails() {
    #expect(failures { $0.avOffsetsMs = [] }.count == 1)
    #expect(failures { $0.avOffsetsMs = Array($0.avOffsetsMs.prefix(23)) }.count == 1)
  }

  @Test func aShortRunNeedsNoOffsets() {
    let short = StreamJudgement(
      secondsAsked: 6, secondsProduced: 6.1, framesProduced: 366, framesPerSecond: 60,
      avOffsetsMs: [0, 0, 0, 40, 40, 40])
    #expect(short.failures == [] && short.offsets == nil)
  }
}
