import Testing

@testable import WebRTC

@Suite struct TimestampAlignerTests {
  private var aligner = TimestampAligner()

  @Test mutating func theOffsetOfTheClocksIsTheMeanDelay() {
    #expect(aligner.translate(1_000_000, now: 50_000_000) == 50_000_000)
    // The delay is 10 ms longer, so the mean grows by half of that.
    #expect(aligner.translate(1_100_000, now: 50_110_000) == 50_105_000)
    #expect(aligner.translate(1_200_000, now: 50_210_000) == 50_206_666)
  }

  @Test mutating func noTimeIsLaterThanTheArrival() {
    #expect(aligner.translate(0, now: 1_000_000) == 1_000_000)
    // The delay is 10 ms shorter.
    #expect(aligner.translate(100_000, now: 1_090_000) == 1_090_000)
    #expect(aligner.translate(200_000, now: 1_190_000) <= 1_190_000)
  }

  @Test mutating func timesAdvanceByAMillisecondOrMore() {
    #expect(aligner.translate(0, now: 1_000_000) == 1_000_000)
    #expect(aligner.translate(0, now: 1_100_000) == 1_050_000)
    #expect(aligner.translate(-90_000, now: 1_100_000) == 1_051_000)
  }

  @Test mutating func aJumpOfTheCaptureClockStartsANewMean() {
    for frame in 0..<50 as Range<Int64> {
      _ = aligner.translate(frame * 10_000, now: 7_000_000 + frame * 10_000)
    }
    #expect(aligner.translate(90_000_000, now: 8_000_000) == 8_000_000)
  }

  @Test mutating func impossibleTimesDoNotTrap() {
    for time in [.max, .min, 0, .max] as [Int64] {
      #expect(aligner.translate(time / 1_000, now: 5_000_000) <= 5_000_000)
    }
  }
}
