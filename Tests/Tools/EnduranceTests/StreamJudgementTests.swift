import Testing

@testable import BroadcastTesting
@testable import ContainingApp
@testable import endurance

@Suite struct StreamJudgementTests {
  private static let audio = AppSummary.Audio(
    framesReceived: 48_000, peakDb: -6, driftMs: 0.1, marks: 60, markOffsetMs: 0.1)
  private static let delays = AppSummary.Delays(p50: 5, p99: 6, max: 7)
  private static let summary = AppSummary(
    framesDelivered: 1800, framesSkipped: 1812, framesDropped: 0, framesRepeated: 0, framesStale: 0,
    framesTorn: 0, framesWithoutProof: 0, framesFailed: 0,
    framesVerified: 1800, readsOvertaken: 0, statusChanges: 2, polls: 1800, pollsPerSecond: 30,
    missedTicks: 0, framesPerSecond: 30, secondsActive: 60, ageMs: delays,
    handOffMs: delays, appAudio: audio, microphone: audio)
  private static let end: BroadcastEnd = {
    var end = BroadcastEnd(crash: 0)
    (end.reason, end.framesProduced, end.framesPerSecond, end.seconds) = ("stoppedBySystem", 3612, 60, 60.2)
    return end
  }()
  /// A minute as it should be.
  private let good = StreamJudgement(
    time: .seconds(60), end: Self.end, summary: Self.summary,
    avOffsetsMs: (0..<60).map { -7 + Double($0 % 5) })

  typealias Change = @Sendable (inout StreamJudgement) -> Void

  /// The failures of a good run that differs in one thing.
  private func failures(_ change: Change) -> [String] {
    var judgement = good
    change(&judgement)
    return judgement.failures
  }

  @Test func aCorrectRunPasses() {
    #expect(good.failures == [])
    // On a busy machine a few frames of a hundred thousand are missing.
    #expect(failures { ($0.end.framesProduced, $0.end.framesPerSecond) = (3580, 59.47) } == [])
    // One large offset is no drift.
    #expect(failures { $0.avOffsetsMs[50] = 400 } == [])
  }

  /// Runs that are too short, with too few or too many frames, with frames or audio that are not whole, or without offsets.
  private static let faults: [Change] = [
    { ($0.end.seconds, $0.end.framesProduced) = (59.9, 3594) }, { $0.end.framesProduced = 3575 },
    { $0.end.framesProduced = 3650 }, { $0.end.framesPerSecond = 59.3 },
    { ($0.summary.framesDelivered, $0.summary.framesVerified) = (1620, 1620) },
    { $0.summary.framesTorn = 1 }, { $0.summary.framesRepeated = 1 }, { $0.summary.framesVerified -= 1 },
    { $0.end.audioDropped = 1 }, { $0.summary.microphone?.framesLost = 480 },
    { $0.summary.appAudio?.driftMs = 17 }, { $0.summary.appAudio?.marks = 0 },
    { $0.summary.microphone?.markOffsetMs = 17 }, { $0.avOffsetsMs = [] },
    { $0.avOffsetsMs = Array($0.avOffsetsMs.prefix(23)) },
  ]

  @Test(arguments: faults.indices) func eachFaultOfARunIsOneFailure(index: Int) {
    #expect(failures(Self.faults[index]).count == 1)
  }

  @Test func whatIsMissingIsNamed() {
    // Neither frames nor a rate.
    #expect(failures { ($0.summary.framesDelivered, $0.summary.framesVerified) = (0, 0) }.count == 2)
    #expect(failures { $0.summary.microphone = nil } == ["there was no microphone"])
    #expect(failures { $0.summary.appAudio?.framesReceived = 0 } == ["there was no app audio"])
    #expect(failures { $0.summary.appAudio?.gaps = 2 } == ["the app audio has 2 gaps"])
  }

  @Test func whatADelayOfTheMachineMayCauseIsNotJudgedAfterOne() throws {
    var late = good
    late.shortfall = "of 3,600 turns of a thread, 1 was late"
    late.end.audioDropped = 1
    late.audioFault = "340 frames of the microphone were lost"
    #expect(late.failures == [])
    let reason = try #require(late.notJudged)
    #expect(reason.contains("1 was late") && reason.contains("1 packets") && reason.contains("340 frames"))
    #expect(late.figures.first { $0.key == "notJudged" }?.line?.hasPrefix("           2 ") == true)
    // Without a delay they fail.
    late.shortfall = nil
    #expect(late.failures.count == 2 && late.notJudged == nil)
  }

  @Test func tornFramesAreJudgedOnAnyMachine() {
    var torn = good
    (torn.shortfall, torn.summary.framesTorn) = ("a thread had no turn", 1)
    #expect(torn.failures.count == 1 && torn.notJudged == nil)
  }

  @Test func aChangingOffsetOfAudioFailsInBothDirections() {
    for sign in [1.0, -1] {
      let slowly = (0..<60).map { sign * Double($0) * 0.6 }
      #expect(failures { $0.avOffsetsMs = slowly }.count == 1)
      #expect(failures { $0.avOffsetsMs = slowly.map { $0 / 4 } } == [])
    }
  }

  @Test func aShortRunNeedsNoOffsets() {
    var short = good
    short.time = .seconds(6)
    (short.end.seconds, short.end.framesProduced) = (6.1, 366)
    short.avOffsetsMs = [0, 0, 0, 40, 40, 40]
    #expect(short.failures == [] && short.offsets == nil)
  }
}
