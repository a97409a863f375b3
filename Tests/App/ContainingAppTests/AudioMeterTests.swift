import ScreenBroadcast
import TestPatterns
import Testing

@testable import ContainingApp

@Suite struct AudioMeterTests {
  /// A tone handed over in packets of 1,024 frames, and what it does to a meter.
  private struct Sound {
    var meter = AudioMeter()
    let clock: SampleClock
    let tone = TestTone(frequency: 440)
    /// The next frame of the clock, and its number as the ring counts.
    var frame: UInt64 = 0
    var index: UInt64 = 0

    init(rate: Int = 48_000, start: Double = 5.4) {
      clock = SampleClock(start: UInt64(start * 1e9), sampleRate: rate)
    }

    /// So many packets, whose times are later than true by what `lie` says of each.
    mutating func play(
      _ packets: Int, session: UInt64 = 1, pauses: UInt32 = 0, lie: (Int) -> UInt64 = { _ in 0 }
    ) {
      for packet in 0..<packets {
        meter.add(
          tone.samples(from: frame, count: 1_024, of: clock), sampleRate: Double(clock.sampleRate),
          channelCount: 1, time: clock.time(ofFrame: frame) + lie(packet), index: index, session: session,
          pauses: pauses)
        frame += 1_024
        index += 1_024
      }
    }

    var state: AudioState { meter.state }
  }

  @Test(arguments: [44_100, 48_000]) func soundInStepHasMarksAndNoDrift(rate: Int) {
    var sound = Sound(rate: rate)
    sound.play(10 * rate / 1_024)
    let state = sound.state
    #expect(state.framesReceived == UInt64(10 * rate / 1_024 * 1_024))
    #expect(state.marks == 10)
    #expect(state.markOffset <= 1_000 / Double(rate))
    #expect(state.drift < 0.001)
    #expect(state.fault(named: "sound") == nil)
    #expect(abs(state.peak + 6) < 0.1)
    #expect(
      state.end == sound.clock.time(ofFrame: sound.frame)
        || state.end + 1 == sound.clock.time(ofFrame: sound.frame))
  }

  @Test func aCountThatRunsAwayFromItsTimesIsDrift() {
    var sound = Sound()
    // Each packet says that it comes 50 µs later than the one before says.
    sound.play(500) { UInt64($0) * 50_000 }
    #expect(abs(sound.state.drift - 24.95) < 0.01)
    #expect(sound.state.fault(named: "sound") == "a time mark of sound lies 24.8 ms from its second")
    #expect(sound.state.marks >= 10 && sound.state.markOffset > 20)
  }

  @Test func aPauseIsNoDriftAndHidesNone() {
    var sound = Sound()
    sound.play(100) { UInt64($0) * 100_000 }
    let before = sound.state.drift
    #expect(abs(before - 9.9) < 0.01)
    sound.frame += 480_000
    sound.play(100, pauses: 1) { _ in 9_900_000 }
    #expect(abs(sound.state.drift - before) < 0.01)
    // What had built up before the pause goes on building up.
    sound.play(100, pauses: 1) { 9_900_000 + UInt64($0) * 100_000 }
    #expect(abs(sound.state.drift - 19.8) < 0.02)
    #expect(sound.state.missing == 0 && sound.state.marksMissing == 0)
  }

  @Test func aPacketThatTheExtensionLeftOutIsDrift() {
    var sound = Sound()
    sound.play(50)
    sound.frame += 1_024
    sound.play(50)
    #expect(abs(sound.state.drift - 21.333) < 0.01)
    #expect(sound.state.fault(named: "sound") == "sound ran 21.3 ms away from its times")
  }

  @Test(arguments: [5, 470] as [UInt64]) func manyPacketsThatAreLeftOutAreAFault(packets: UInt64) {
    var sound = Sound()
    sound.play(50)
    sound.frame += packets * 1_024
    sound.play(50)
    let missing = Double(packets) * 1_024 / 48
    #expect(abs(sound.state.missing - missing) < 0.01 && sound.state.drift < 0.001)
    #expect(
      sound.state.fault(named: "sound")?.hasSuffix("ms of sound are missing, and nothing was paused") == true)
  }

  @Test func soundThatLosesItsMarksIsAFault() {
    var sound = Sound()
    func add(_ packets: Int, _ sample: Int16) {
      for _ in 0..<packets {
        sound.meter.add(
          [Int16](repeating: sample, count: 1_024), sampleRate: 48_000, channelCount: 1,
          time: sound.clock.time(ofFrame: sound.frame), index: sound.index, session: 1)
        (sound.frame, sound.index) = (sound.frame + 1_024, sound.index + 1_024)
      }
    }
    // Before the first mark nothing is expected.
    add(150, 1_000)
    sound.play(100)
    #expect(sound.state.marks > 0 && sound.state.fault(named: "sound") == nil)
    // A phone call of six seconds.
    add(280, 0)
    sound.play(100)
    #expect(sound.state.fault(named: "sound") == nil)
    add(100, 1_000)
    #expect(sound.state.fault(named: "sound") == "sound had 2 seconds without a time mark")
  }

  @Test func framesThatAreMissingInBothAreAGapAndNoDrift() {
    var sound = Sound()
    sound.play(50)
    (sound.frame, sound.index) = (sound.frame + 96_000, sound.index + 96_000)
    sound.play(50)
    #expect(sound.state.drift < 0.001 && sound.state.markOffset < 0.03)
    var counts = AudioBufferContext.Statistics()
    counts.gaps = 1
    counts.framesLost = 96_000
    sound.meter.count(counts)
    #expect(sound.state.fault(named: "sound") == "96000 frames of sound were lost in 1 gap")
  }

  @Test func marksThatAreMisplacedAreReported() {
    var sound = Sound()
    sound.play(100) { _ in 30_000_000 }
    #expect(sound.state.drift < 0.001)
    #expect(abs(sound.state.markOffset - 30) < 0.05 && sound.state.marks == 2)
    #expect(sound.state.fault(named: "sound") == "a time mark of sound lies 30.0 ms from its second")
  }

  @Test func packetsThatDidNotTravelAreAFault() {
    var sound = Sound()
    sound.play(1)
    var counts = AudioBufferContext.Statistics()
    counts.packetsDropped = 2
    sound.meter.count(counts)
    #expect(sound.state.fault(named: "sound") == "2 packets of sound did not travel")
  }

  @Test func anotherSessionBeginsAnewAndKeepsTheCounts() {
    var sound = Sound()
    sound.play(100)
    let (marks, frames) = (sound.state.marks, sound.state.framesReceived)
    sound.frame += 9_999_999
    sound.index = 0
    sound.play(100, session: 2)
    #expect(sound.state.session == 2 && sound.state.drift < 0.001)
    #expect(sound.state.marks > marks && sound.state.framesReceived == frames * 2)
  }

  @Test func thePeakIsThatOfAllAlsoWithinALongPacket() {
    var meter = AudioMeter()
    meter.add(
      [.min] + [Int16](repeating: 1, count: 48_000), sampleRate: 48_000, channelCount: 1, time: 1, index: 0,
      session: 1)
    #expect(meter.state.peak == 0 && meter.state.level < -80)
  }

  @Test func theLevelIsThatOfTheLastMoment() {
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
    #expect(meter.state.level == -96 && meter.state.peak == 0)
    #expect([-96, -64, -57, -56, -30, -8, 0].map(AudioLevel.bar) == ["▁", "▁", "▁", "▂", "▅", "█", "█"])
  }

  @Test func numbersFromOutsideMayBeAnything() {
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
