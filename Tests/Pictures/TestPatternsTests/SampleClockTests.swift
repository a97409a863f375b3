import TestPatterns
import TestSupport

@Suite struct SampleClockTests {
  @Test(arguments: [44_100, 48_000, 11_025, 8_000]) func framesAndTimesAreInverse(rate: Int) {
    let clock = SampleClock(start: MonotonicTime(nanoseconds: 1_234_567_890_123), sampleRate: rate)
    for frame: UInt64 in [0, 1, 2, 1_023, 1_024, 44_099, 44_100, 44_101, 26_460_001, 1 << 40] {
      let time = clock.time(ofFrame: frame)
      #expect(clock.firstFrame(notBefore: time) == frame)
      #expect(clock.firstFrame(notBefore: time + .nanoseconds(1)) == frame + 1)
      #expect(clock.framesComplete(at: time + .nanoseconds(1)) == frame)
    }
  }

  @Test func tenYearsOfAudioAreNotOffByAFrame() {
    let clock = SampleClock(start: MonotonicTime(nanoseconds: 7), sampleRate: 44_100)
    let seconds: UInt64 = 10 * 365 * 86_400
    #expect(clock.time(ofFrame: seconds * 44_100) == clock.start + .seconds(seconds))
    #expect(clock.framesComplete(at: clock.start + .seconds(seconds)) == seconds * 44_100)
  }

  @Test func noFrameIsBeforeTheStart() {
    let clock = SampleClock(start: MonotonicTime(nanoseconds: 1_000), sampleRate: 48_000)
    #expect(clock.firstFrame(notBefore: .zero) == 0)
    #expect(clock.framesComplete(at: MonotonicTime(nanoseconds: 999)) == 0)
  }
}
