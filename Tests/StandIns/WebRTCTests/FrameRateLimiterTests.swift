import Testing

@testable import WebRTC

@Suite struct FrameRateLimiterTests {
  /// Returns the indices of the frames that are kept. `times` are in nanoseconds.
  private func kept(_ times: [Int64], at rate: Int32) throws -> [Int] {
    var limiter = try #require(FrameRateLimiter(framesPerSecond: rate))
    return times.indices.filter { limiter.keeps(times[$0]) }
  }

  private func times(_ rate: Double, count: Int, from start: Int64 = 5_000_000_000) -> [Int64] {
    (0..<count).map { start + Int64(Double($0) * 1e9 / rate) }
  }

  /// The deadlines are half an interval after the regular times of the rate, so the first deadline is after half an interval.
  @Test(
    arguments: [
      (60, 30, [0, 1, 3, 5, 7, 9]), (60, 24, [0, 2, 4, 7, 9]), (60, 20, [0, 2, 5, 8]),
      (60, 15, [0, 2, 6, 10]), (30, 24, [0, 1, 2, 4, 5, 6, 7, 9, 10]), (60, 60, Array(0...10)),
      (30, 60, Array(0...10)),
    ] as [(Double, Int32, [Int])])
  func theFirstFrameAfterEachDeadlineIsKept(source: Double, rate: Int32, indices: [Int]) throws {
    // The source is slightly slower than its rate, because exact times of some rates coincide with deadlines of others.
    #expect(try kept(times(source * 0.999_999, count: 11), at: rate) == indices)
  }

  @Test(
    arguments: [
      (60, 30), (60, 24), (60, 50), (60, 7), (120, 60), (59.94, 30), (60.2, 60), (50, 30), (25, 24), (61, 60),
    ] as [(Double, Int32)])
  func theAverageRateIsMet(source: Double, rate: Int32) throws {
    let seconds = 20
    let count = try kept(times(source, count: Int(source * Double(seconds))), at: rate).count
    #expect(abs(count - Int(rate) * seconds) <= 2)
  }

  @Test(arguments: [24, 30, 59.94, 60]) func aSourceOfTheRateLosesNothingToJitter(source: Double) throws {
    // Frames are up to a fifth of an interval early or late, and the first frame is late by a fifth.
    let interval = 1e9 / source
    var state: UInt64 = 3
    let jittered = times(source, count: 2000).enumerated().map { index, time in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Double(state >> 33) / Double(1 << 31) - 0.5
      return time + Int64((index == 0 ? 0.2 : noise * 0.4) * interval)
    }
    #expect(try kept(jittered, at: Int32(source.rounded())).count == jittered.count)
  }

  @Test func lateFramesWithinTwoIntervalsDoNotMoveTheDeadlines() throws {
    // Deadlines at 50, 150, 250, … ms.
    let milliseconds: [Int64] = [0, 60, 240, 245, 260, 340, 351]
    #expect(try kept(milliseconds.map { $0 * 1_000_000 }, at: 10) == [0, 1, 2, 4, 6])
  }

  @Test func twoIntervalsAfterADeadlineNewOnesStart() throws {
    // The deadline after 50 ms would be at 150 ms. The frame at 250 ms restarts the deadlines, so the first one is at 300 ms.
    #expect(try kept([0, 250, 299, 300].map { $0 * 1_000_000 }, at: 10) == [0, 1, 3])
  }

  @Test func aClockThatRunsBackwardsStartsNewDeadlines() throws {
    #expect(try kept([9_000_000_000, 5, 10, 16_666_680], at: 30) == [0, 1, 3])
  }

  @Test func impossibleTimesWrap() throws {
    #expect(try kept([.min, .max, .min, 0, .max], at: 30) == [0, 3, 4])
    #expect(try kept([.max, .min, 0], at: 1_000_000_000) == [0, 1, 2])
  }

  @Test(arguments: [-30, .min, .max] as [Int32]) func aRateBelowZeroOrAboveAllLimitsNothing(rate: Int32) {
    #expect(FrameRateLimiter(framesPerSecond: rate) == nil)
  }

  @Test func aRateOfZeroIsTenThousand() throws {
    #expect(try kept([0, 40_000, 50_000, 100_000, 150_000], at: 0) == [0, 2, 4])
  }
}
