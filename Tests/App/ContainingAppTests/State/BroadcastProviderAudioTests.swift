import ReplayKit
import RunReports
import ScreenBroadcast
import SharedMemory
import TestPatterns
import TestSupport
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct BroadcastProviderAudioTests {
  private final class Sink: NSObject, AudioRenderer {
    let frames = Mutex(0)
    func render(_ block: AudioBlock) { frames.withLock { $0 += block.numberOfFrames } }
  }

  private let second: UInt64 = 1_000_000_000

  @Test func bothStreamsAreReceivedAndEnterTheCall() throws {
    let rig = try Rig()
    let sinks = BroadcastAudioStream.allCases.map { stream in
      let sink = Sink()
      rig.call.audioTrack(of: stream).add(sink)
      return sink
    }
    try rig.producer.start()
    rig.provider.start()
    for packet in 0..<10 as Range<UInt64> {
      let time = 50 * second + packet * 20_000_000
      try rig.producer.publish([Int16](repeating: 3_277, count: 960), to: .app, at: time)
      try rig.producer.publish([Int16](repeating: 0, count: 960), to: .microphone, at: time)
      rig.audioTimers.forEach { $0.tick() }
    }
    #expect((rig.state.appAudio?.framesReceived, rig.state.microphone?.framesReceived) == (9_600, 9_600))
    #expect(rig.state.appAudio.map { abs($0.level + 20) < 0.01 } == true)
    #expect(rig.state.microphone?.level == -96)
    #expect(rig.state.appAudio.map { $0.driftMs < 0.001 } == true)
    for sink in sinks { #expect(sink.frames.withLock { $0 } == 9_600) }
  }

  @Test func aFrameIsComparedWithTheNewestAudio() throws {
    let rig = try Rig(isLive: true)
    // Without audio there is no offset.
    try rig.deliver(at: 49 * second)
    #expect(rig.provider.delays.avOffsets.count == 0)
    // The first audio is polled by its timer.
    try rig.producer.publish([Int16](repeating: 1, count: 960), to: .app, at: 49 * second)
    rig.audioTimers.forEach { $0.tick() }
    // The audio ends at 50.02 s. It is polled after the frame even if its timer did not tick.
    try rig.producer.publish([Int16](repeating: 1, count: 960), to: .app, at: 50 * second)
    try rig.producer.publish([Int16](repeating: 1, count: 960), to: .microphone, at: 70 * second)
    try rig.deliver(at: 50 * second + 5_000_000)
    #expect(rig.provider.delays.avOffsets.last.map { abs($0 - 15) < 0.001 } == true)
    try rig.deliver(at: 50 * second + 33_000_000)
    #expect(rig.provider.delays.avOffsets.last.map { abs($0 + 13) < 0.001 } == true)
    let summary = AppSummary(rig.state, rig.provider.delays)
    #expect(rig.provider.delays.avOffsets.count == 2)
    #expect(summary.avOffsetMs.map { $0.p50 < -12.8 && $0.max == 15 } == true)
  }

  @Test func afterAPauseAFrameWaitsForNewAudio() throws {
    let rig = try Rig(isLive: true)
    @MainActor func picture(_ milliseconds: UInt64) throws {
      try rig.deliver(at: 50 * second + milliseconds * 1_000_000)
    }
    @MainActor func audio(_ milliseconds: UInt64) throws {
      try rig.producer.publish(
        [Int16](repeating: 1, count: 960), to: .app, at: 50 * second + milliseconds * 1_000_000)
    }
    try audio(0)
    rig.audioTimers.forEach { $0.tick() }
    try picture(5)
    #expect(rig.provider.delays.avOffsets.count == 1)
    // A pause of ten seconds.
    try picture(10_000)
    try picture(10_010)
    #expect(rig.provider.delays.avOffsets.count == 1)
    try audio(10_000)
    try picture(10_033)
    #expect(rig.provider.delays.avOffsets.count == 2)
    #expect(rig.provider.delays.avOffsets.last.map { abs($0 + 13) < 0.001 } == true)
    // A gap in the audio alone is not a pause.
    for time in stride(from: 10_066 as UInt64, through: 10_330, by: 33) { try picture(time) }
    #expect(rig.provider.delays.avOffsets.last.map { $0 < -300 } == true)
  }

  @Test func theLastAudioBeforeTheEndIsNotLost() throws {
    let rig = try Rig(isLive: true, clock: TestClock(at: MonotonicTime(nanoseconds: second)))
    try rig.producer.publish([1, 2, 3], to: .microphone, at: second)
    rig.audioTimers.forEach { $0.tick() }
    try rig.producer.publish([4, 5], to: .microphone, at: second + 62_500)
    try rig.finish()
    #expect(rig.state.microphone?.framesReceived == 5)
    #expect(rig.audioTimers.allSatisfy { !$0.isRunning })
  }

  @Test(arguments: [true, false]) func audioOutOfStepIsAFaultOnlyIfVerified(_ verifies: Bool) throws {
    let rig = try Rig(isLive: true, verifies: verifies)
    let clock = SampleClock(start: MonotonicTime(nanoseconds: 7 * second + 500_000_000), sampleRate: 48_000)
    let tone = TestTone(frequency: 440)
    for packet in 0..<50 as Range<UInt64> {
      let frame = packet * 960
      try rig.producer.publish(
        tone.samples(from: frame, count: 960, of: clock), to: .app,
        at: clock.time(ofFrame: frame).nanoseconds + 40_000_000)
      rig.audioTimers.forEach { $0.tick() }
    }
    #expect(rig.state.appAudio?.marks == 1)
    #expect(rig.state.audioFault == (verifies ? "a time mark of app audio is 40.0 ms off" : nil))
  }

  /// Runs a broadcast of `packets` (100 ms each, default: five seconds) with frames. `microphone` and `app` are the packets
  /// in which each stream has audio.
  @MainActor private func broadcast(
    verifies: Bool = true, microphone: Range<UInt64>,
    app: Range<UInt64> = 0..<50, packets: Range<UInt64> = 0..<50, level: Int16 = 3_277
  ) throws -> Rig {
    let clock = TestClock(at: MonotonicTime(nanoseconds: 50 * second))
    let rig = try Rig(isLive: true, verifies: verifies, clock: clock)
    for packet in packets {
      let time = 50 * second + packet * 100_000_000
      let samples = [Int16](repeating: level, count: 4_800)
      if app.contains(packet) { try rig.producer.publish(samples, to: .app, at: time) }
      if microphone.contains(packet) { try rig.producer.publish(samples, to: .microphone, at: time) }
      rig.audioTimers.forEach { $0.tick() }
      try rig.deliver(at: time)
      rig.provider.refresh()
      clock.advance(by: .milliseconds(100))
    }
    return rig
  }

  @Test(arguments: [true, false]) func aStreamThatStopsIsReportedAndAFaultIfVerified(_ verifies: Bool) throws
  {
    let rig = try broadcast(verifies: verifies, microphone: 0..<20)
    let audio = try #require(rig.state.microphone)
    #expect(audio.stops == 1 && abs(audio.absentSeconds - 3) < 0.2)
    #expect(audio.level == AudioLevel.silence && rig.state.appAudio?.level != AudioLevel.silence)
    #expect(rig.state.appAudio?.stops == 0)
    #expect(rig.state.audioFault == (verifies ? "the microphone stopped while the broadcast continued" : nil))
    let changes = rig.commits.flatMap {
      AudioChange.changes(of: .microphone, from: $0.old.microphone, to: $0.new.microphone)
    }
    #expect(changes.map(\.kind) == [.format, .stopped])
  }

  @Test func silenceThatStopsOrHasGapsIsNoFault() throws {
    let rig = try broadcast(microphone: 0..<50, app: 0..<20, level: 0)
    #expect(rig.state.appAudio?.stops == 1 && rig.state.audioFault == nil)
  }

  @Test func withoutAnyAudioLeftNothingIsComparedWithFrames() throws {
    let rig = try broadcast(verifies: false, microphone: 0..<20, app: 0..<10)
    #expect(rig.state.appAudio?.stops == 1 && rig.state.microphone?.stops == 1)
    #expect(rig.provider.delays.avOffsets.last.map { $0 > -2_200 } == true)
    var shown: [WatchStats] = []
    let viewModel = WatchViewModel { if case .stats(let stats) = $0 { shown.append(stats) } }
    viewModel.showStats(rig.state, avOffset: 5, ratesOver: .zero)
    #expect(shown.first?.avOffsetMs == nil && shown.first?.stoppedAudio == [.app: true, .microphone: true])
    #expect(shown.first?.micLevelDb == AudioLevel.silence)
  }

  @Test func aBroadcastWithoutAStreamFromTheStartOrWithALateOneIsNoFault() throws {
    for microphone in [0..<0, 45..<50, 0..<35] as [Range<UInt64>] {
      let rig = try broadcast(microphone: microphone)
      rig.provider.stop()
      #expect(rig.state.audioFault == nil, "\(microphone)")
    }
    let rig = try broadcast(microphone: 0..<0, app: 0..<0)
    rig.provider.stop()
    #expect(rig.state.audioFault == nil && rig.state.appAudio == nil)
  }

  /// Publishes app audio in packets of 100 ms from one second on. It then polls once, unless `polls` is false.
  private func publish(_ packets: Range<UInt64>, level: Int16 = 7, in rig: Rig, polls: Bool = true) throws {
    for number in packets {
      try rig.producer.publish(
        [Int16](repeating: level, count: 4_800), to: .app, at: second + number * 100_000_000)
    }
    if polls { rig.audioTimers.forEach { $0.tick() } }
  }

  @Test func aGapInSilenceIsNoFaultAlthoughTheFirstSoundComesInTheSamePoll() throws {
    let rig = try Rig(isLive: true, verifies: true)
    try publish(0..<1, level: 0, in: rig)
    try publish(1..<100, level: 0, in: rig, polls: false)
    try publish(100..<101, in: rig)
    #expect(rig.state.appAudio?.gaps == 1 && rig.state.appAudio?.hasSound == true)
    #expect(rig.state.audioFault == nil)
    // From now on, lost audio is audible.
    try publish(101..<201, in: rig)
    #expect(rig.state.audioFault?.contains("of app audio were lost in 1 gap") == true)
  }

  @Test func overwrittenAudioIsCountedAsLost() throws {
    let rig = try Rig(isLive: true, verifies: true)
    try publish(0..<1, in: rig)
    // Ten seconds without a poll are more than the ring holds.
    try publish(1..<101, in: rig)
    let audio = try #require(rig.state.appAudio)
    #expect(audio.gaps == 1 && audio.framesLost > 0 && audio.framesReceived + audio.framesLost == 101 * 4_800)
    #expect(rig.state.audioFault?.contains("of app audio were lost in 1 gap") == true)
    #expect(audio.driftMs < 0.001)
  }

  @Test func aDamagedFileOfAudioIsReportedOnce() throws {
    let rig = try Rig()
    try rig.producer.start()
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: rig.container.audioFile(for: .app)))
    rig.provider.start()
    rig.audioTimers.forEach { $0.tick() }
    rig.audioTimers.forEach { $0.tick() }
    guard case .audio = rig.state.failure else {
      Issue.record("\(String(describing: rig.state.failure))")
      return
    }
    #expect(rig.commits.filter { $0.old.failure != $0.new.failure }.count == 1)
    // Frames still arrive.
    try rig.deliver()
    #expect(rig.state.phase == .live)
  }
}
