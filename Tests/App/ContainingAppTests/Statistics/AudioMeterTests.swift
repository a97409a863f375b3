import ScreenBroadcast
import TestPatterns
import TestSupport

@testable import ContainingApp
@testable import ScreenBroadcast

@Suite(.busyMachine) struct AudioMeterTests {
  /// A meter that measures a tone in packets of 1,024 frames.
  private struct Playback {
    var meter = AudioMeter()
    let clock: SampleClock
    let tone = TestTone(frequency: 440)
    var isSilent = false
    /// The next frame of the clock, and its index in the session.
    var frame: UInt64 = 0
    var index: UInt64 = 0

    init(rate: Int = 48_000, start: Double = 5.4) {
      clock = SampleClock(start: .zero + .seconds(start), sampleRate: rate)
    }

    /// Plays packets whose times are off by `error`.
    mutating func play(
      _ packets: Int, session: UInt64 = 1, pauses: UInt32 = 0, error: (Int) -> Duration = { _ in .zero }
    ) {
      for packet in 0..<packets {
        meter.add(
          BroadcastAudio(
            stream: .app, sampleRate: Double(clock.sampleRate), channelCount: 1,
            samples: isSilent
              ? [Int16](repeating: 0, count: 1_024) : tone.samples(from: frame, count: 1_024, of: clock),
            time: clock.time(ofFrame: frame) + error(packet), index: index, session: session, pauses: pauses))
        frame += 1_024
        index += 1_024
      }
    }

    mutating func count(gaps: UInt64 = 0, framesLost: UInt64 = 0, packetsDropped: UInt64 = 0) {
      var counts = AudioBufferContext.Statistics()
      (counts.gaps, counts.framesLost, counts.packetsDropped) = (gaps, framesLost, packetsDropped)
      meter.count(counts)
    }

    var state: AudioState { meter.state }
  }

  @Test(arguments: [44_100, 48_000]) func audioInStepHasMarksAndNoDrift(rate: Int) {
    var audio = Playback(rate: rate)
    audio.play(10 * rate / 1_024)
    let state = audio.state
    #expect((state.framesReceived, state.marks) == (UInt64(10 * rate / 1_024 * 1_024), 10))
    #expect(state.markOffsetMs <= 1_000 / Double(rate) && state.driftMs < 0.001)
    #expect(state.fault(named: "audio") == nil)
    #expect(abs(state.peakDb + 6) < 0.1)
    #expect(
      state.end == audio.clock.time(ofFrame: audio.frame)
        || state.end + .nanoseconds(1) == audio.clock.time(ofFrame: audio.frame))
  }

  @Test func aDifferenceBetweenCountAndTimesIsDrift() {
    var audio = Playback()
    // Each packet is 50 µs later than the previous one.
    audio.play(500) { .microseconds(50 * $0) }
    #expect(abs(audio.state.driftMs - 24.95) < 0.01)
    #expect(audio.state.fault(named: "audio") == "a time mark of audio is 24.8 ms off")
    #expect(audio.state.marks >= 10 && audio.state.markOffsetMs > 20)
  }

  @Test func aPauseIsNotDriftAndKeepsIt() {
    var audio = Playback()
    audio.play(100) { .microseconds(100 * $0) }
    let before = audio.state.driftMs
    #expect(abs(before - 9.9) < 0.01)
    audio.frame += 480_000
    audio.play(100, pauses: 1) { _ in .microseconds(9_900) }
    #expect(abs(audio.state.driftMs - before) < 0.01)
    // The drift before the pause still counts.
    audio.play(100, pauses: 1) { .microseconds(9_900 + 100 * $0) }
    #expect(abs(audio.state.driftMs - 19.8) < 0.02)
    #expect(audio.state.missing == 0 && audio.state.marksMissing == 0)
  }

  @Test(arguments: [1, 5, 470] as [UInt64]) func skippedPacketsAreMissingAndNoDrift(packets: UInt64) {
    var audio = Playback()
    audio.play(50)
    audio.frame += packets * 1_024
    audio.play(50)
    let missing = Double(packets) * 1_024 / 48
    #expect(abs(audio.state.missing - missing) < 0.01 && audio.state.driftMs < 0.001)
    #expect(audio.state.fault(named: "audio")?.contains("ms of audio are missing without a pause") == true)
  }

  @Test func missingMarksAreAFault() {
    var audio = Playback()
    func add(_ packets: Int, _ sample: Int16) {
      for _ in 0..<packets {
        audio.meter.add(
          [Int16](repeating: sample, count: 1_024), sampleRate: 48_000, channelCount: 1,
          time: audio.clock.time(ofFrame: audio.frame).nanoseconds, index: audio.index, session: 1)
        (audio.frame, audio.index) = (audio.frame + 1_024, audio.index + 1_024)
      }
    }
    // No mark counts as missing before the first one.
    add(150, 1_000)
    audio.play(100)
    #expect(audio.state.marks > 0 && audio.state.fault(named: "audio") == nil)
    // A phone call of six seconds.
    add(280, 0)
    audio.play(100)
    #expect(audio.state.fault(named: "audio") == nil)
    add(100, 1_000)
    #expect(audio.state.fault(named: "audio") == "audio had 2 seconds without a time mark")
  }

  @Test func framesMissingInCountAndTimesAreAGapAndNoDrift() {
    var audio = Playback()
    audio.play(50)
    (audio.frame, audio.index) = (audio.frame + 96_000, audio.index + 96_000)
    audio.play(50)
    #expect(audio.state.driftMs < 0.001 && audio.state.markOffsetMs < 0.03)
    audio.count(gaps: 1, framesLost: 96_000)
    #expect(audio.state.fault(named: "audio") == "96000 frames of audio were lost in 1 gap")
  }

  @Test func marksThatAreMisplacedAreReported() {
    var audio = Playback()
    audio.play(100) { _ in .milliseconds(30) }
    #expect(audio.state.driftMs < 0.001)
    #expect(abs(audio.state.markOffsetMs - 30) < 0.05 && audio.state.marks == 2)
    #expect(audio.state.fault(named: "audio") == "a time mark of audio is 30.0 ms off")
  }

  @Test func droppedPacketsAreAFault() {
    var audio = Playback()
    audio.play(1)
    audio.count(packetsDropped: 2)
    #expect(audio.state.fault(named: "audio") == "2 packets of audio were not published")
  }

  @Test func faultsAreThoseSinceTheFirstSound() {
    var audio = Playback()
    audio.isSilent = true
    audio.play(50) { .milliseconds($0) }
    audio.frame += 48_000
    audio.play(50)
    audio.count(gaps: 1, framesLost: 96_000, packetsDropped: 2)
    for absence in [2, 0] { audio.meter.setAbsence(.seconds(absence)) }
    audio.isSilent = false
    audio.frame += 48_000
    audio.play(100)
    #expect(audio.state.stops == 1 && audio.state.framesLost == 96_000)
    #expect(audio.state.missing == 0 && audio.state.driftMs < 0.001)
    #expect(audio.state.fault(named: "audio") == nil)
    audio.count(gaps: 2, framesLost: 96_010, packetsDropped: 2)
    #expect(audio.state.fault(named: "audio") == "10 frames of audio were lost in 1 gap")
  }

  @Test func anotherSessionResetsTheDriftAndKeepsTheCounts() {
    var audio = Playback()
    audio.play(100)
    let (marks, frames) = (audio.state.marks, audio.state.framesReceived)
    audio.frame += 9_999_999
    audio.index = 0
    audio.play(100, session: 2)
    #expect(audio.state.session == 2 && audio.state.driftMs < 0.001)
    #expect(audio.state.marks > marks && audio.state.framesReceived == frames * 2)
  }

  @Test func thePeakIncludesTheStartOfALongPacket() {
    var meter = AudioMeter()
    meter.add(
      [.min] + [Int16](repeating: 1, count: 48_000), sampleRate: 48_000, channelCount: 1, time: 1, index: 0,
      session: 1)
    #expect(meter.state.peakDb == 0 && meter.state.level < -80)
  }

  @Test func theLevelIsThatOfTheLastHalfSecond() {
    var meter = AudioMeter()
    var time: UInt64 = 0
    func add(_ value: Int16, milliseconds: Int) {
      meter.add(
        [Int16](repeating: value, count: milliseconds * 48), sampleRate: 48_000, channelCount: 1, time: time,
        index: time * 48 / 1_000_000, session: 1)
      time += UInt64(milliseconds) * 1_000_000
    }
    add(0, milliseconds: 100)
    #expect(meter.state.level == -96)
    add(.min, milliseconds: 10)
    #expect(meter.state.level == 0)
    add(3_277, milliseconds: 550)
    #expect(abs(meter.state.level + 20) < 0.01)
    add(0, milliseconds: 550)
    #expect(meter.state.level == -96 && meter.state.peakDb == 0)
    #expect([-96, -64, -57, -56, -30, -8, 0].map(AudioLevel.bar) == ["▁", "▁", "▁", "▂", "▅", "█", "█"])
  }

  @Test func invalidNumbersDoNotTrap() {
    var meter = AudioMeter()
    for rate in [0, -1, .nan, .infinity, 1e300, 1e-300] {
      meter.add([1], sampleRate: rate, channelCount: 1, time: 1, index: 1, session: 1)
    }
    meter.add([1], sampleRate: 48_000, channelCount: 0, time: 1, index: 1, session: 1)
    meter.add([], sampleRate: 48_000, channelCount: 1, time: 1, index: 1, session: 1)
    #expect(meter.state == AudioState())
    for (time, index) in [
      (0, 0), (.max, .max), (1, .max), (.max, 1), (1 << 63, 1 << 62), (0, 1 << 63), (5, 5),
    ] as [(UInt64, UInt64)] {
      for rate in [1.5, 8_000, 44_100.25, 1_000_000] {
        meter.add([.min, .max], sampleRate: rate, channelCount: 2, time: time, index: index, session: 1)
        meter.add([.min, .max], sampleRate: rate, channelCount: 9, time: index, index: time, session: 1)
      }
    }
  }
}

extension AudioMeter {
  /// Adds audio of apps, recorded `time` nanoseconds after the start of the clock.
  fileprivate mutating func add(
    _ samples: [Int16], sampleRate: Double, channelCount: Int, time: UInt64, index: UInt64, session: UInt64
  ) {
    add(
      BroadcastAudio(
        stream: .app, sampleRate: sampleRate, channelCount: channelCount, samples: samples,
        time: MonotonicTime(nanoseconds: time), index: index, session: session))
  }
}
