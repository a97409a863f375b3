import TestPatterns
import TestSupport

@Suite(.busyMachine) struct TimeMarkTests {
  static let rates = [8_000, 11_025, 44_100, 48_000]

  private func seconds(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: UInt64(seconds * 1e9))
  }

  /// Returns a finder that has read a tone in packets whose timestamps are `delay` late.
  private func found(
    rate: Int, start: MonotonicTime, seconds: Int, delay: Duration = .zero, channels: Int = 1
  ) throws -> TimeMarkFinder {
    let clock = SampleClock(start: start, sampleRate: rate)
    let tone = TestTone(frequency: 440)
    var finder = try #require(TimeMarkFinder(sampleRate: rate))
    var frame: UInt64 = 0
    while frame < rate * seconds {
      let samples = tone.samples(from: frame, count: 1_024, of: clock)
      finder.add(
        samples.flatMap { repeatElement($0, count: channels) }, channelCount: channels,
        time: clock.time(ofFrame: frame) + delay)
      frame += 1_024
    }
    return finder
  }

  @Test(arguments: rates) func theFirstSampleOfAMarkIsTheFirstOfItsSecond(rate: Int) {
    let clock = SampleClock(start: seconds(10.3), sampleRate: rate)
    let samples = TestTone(frequency: 440).samples(from: 0, count: rate * 3, of: clock)
    let length = TimeMark.frameCount(sampleRate: rate)
    for second in [11.0, 12, 13] {
      let frame = Int(clock.firstFrame(notBefore: seconds(second)))
      #expect(samples[frame].magnitude == 16_422 && samples[frame - 1].magnitude <= 4_125)
      #expect(
        Array(samples[frame..<frame + length]) == (0..<length).map { TimeMark.sample($0, sampleRate: rate) })
      #expect(samples[frame + length].magnitude <= 4_125)
    }
    #expect(samples.count { $0.magnitude > 4_125 } <= 3 * length)
  }

  @Test func packetsOfAnySizeMakeTheSameTone() {
    let clock = SampleClock(start: seconds(0.995), sampleRate: 44_100)
    let tone = TestTone(frequency: 440)
    let whole = tone.samples(from: 0, count: 3_000, of: clock)
    for size in [1, 7, 1_024] {
      var pieces: [Int16] = []
      while pieces.count < 3_000 {
        pieces += tone.samples(from: UInt64(pieces.count), count: size, of: clock)
      }
      #expect(Array(pieces[..<3_000]) == whole)
    }
    #expect(tone.samples(from: 5, count: 0, of: clock).isEmpty)
  }

  @Test func aToneThatStartsWithinAMarkOmitsIt() {
    let clock = SampleClock(start: seconds(5.01), sampleRate: 48_000)
    let samples = TestTone(frequency: 440).samples(from: 0, count: 2_000, of: clock)
    #expect(samples.allSatisfy { $0.magnitude <= 4_125 })
    let onTime = SampleClock(start: seconds(5), sampleRate: 48_000)
    #expect(TestTone(frequency: 440).samples(from: 0, count: 1, of: onTime) == [16_422])
  }

  @Test(arguments: rates) func everyMarkIsFoundWithinAFrameOfItsSecond(rate: Int) throws {
    let finder = try found(
      rate: rate, start: seconds(3.777_777), seconds: 5, channels: rate == 44_100 ? 2 : 1)
    #expect(finder.count == 5 && finder.worstOffset <= .nanoseconds(1_000_000_000 / rate))
  }

  @Test func anOffsetOfTheAudioIsMeasured() throws {
    for (delay, offset) in [(30, 30), (970, 30)] {
      let finder = try found(rate: 48_000, start: seconds(8.25), seconds: 3, delay: .milliseconds(delay))
      #expect(finder.count == 3)
      #expect(abs((finder.worstOffset - .milliseconds(offset)) / .microseconds(1)) <= 30)
    }
  }

  @Test func aMarkWithAGapIsNotCounted() throws {
    let clock = SampleClock(start: seconds(2.5), sampleRate: 48_000)
    let tone = TestTone(frequency: 440)
    var finder = try #require(TimeMarkFinder(sampleRate: 48_000))
    // The second begins at frame 24,000; the hole follows ten frames later.
    finder.add(tone.samples(from: 0, count: 24_010, of: clock), channelCount: 1, time: clock.start)
    finder.skip()
    finder.add(
      tone.samples(from: 24_200, count: 49_000, of: clock), channelCount: 1,
      time: clock.time(ofFrame: 24_200))
    #expect(finder.count == 1 && finder.worstOffset <= .nanoseconds(20_834))
  }

  @Test func otherLoudSamplesAreNotMarks() throws {
    var random = SystemRandomNumberGenerator()
    var finder = try #require(TimeMarkFinder(sampleRate: 48_000))
    for frequency in [0, 100, 1_000, 1_900, 2_100, 3_000] {
      let burst = TestTone(frequency: frequency == 0 ? 1 : frequency)
      let samples = burst.samples(
        from: 0, count: 960, of: SampleClock(start: MonotonicTime(nanoseconds: 1), sampleRate: 48_000))
      finder.add([Int16](repeating: 0, count: 9_600), channelCount: 1, time: .zero)
      finder.add(samples.map { $0 * 7 }, channelCount: 1, time: .zero)
    }
    for _ in 0..<20 {
      finder.add([Int16](repeating: 0, count: 9_600), channelCount: 1, time: .zero)
      finder.add(
        (0..<960).map { _ in Int16.random(in: .min ... .max, using: &random) }, channelCount: 1, time: .zero)
    }
    #expect(finder.count == 0)
  }

  @Test func impossibleNumbersDoNotTrap() throws {
    #expect(TimeMarkFinder(sampleRate: 0) == nil)
    #expect(TimeMarkFinder(sampleRate: .max) == nil)
    var finder = try #require(TimeMarkFinder(sampleRate: 8_000))
    finder.add([1, 2, 3], channelCount: 0, time: MonotonicTime(nanoseconds: .max))
    finder.add(
      [Int16](repeating: .min, count: 3_001), channelCount: 2, time: MonotonicTime(nanoseconds: .max))
    #expect(finder.count == 0)
  }
}
