import TestSupport

@Suite struct DelayHistogramTests {
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test(arguments: [1, 2, 3, 10, 99, 100, 101, 5000])
  func percentilesAreThoseOfASortedListToAHundredth(_ count: Int) {
    var numbers = Numbers(state: UInt64(count))
    let ages = (0..<count).map { _ in
      UInt64.random(in: 0..<900_000_000, using: &numbers) >> UInt64.random(in: 0..<30, using: &numbers)
    }
    var histogram = DelayHistogram()
    for age in ages { histogram.add(.nanoseconds(age)) }
    let sorted = ages.sorted()
    for share in [0, 0.01, 0.25, 0.5, 0.9, 0.99, 1] {
      let rank = max(1, Int((Double(count) * share).rounded(.up)))
      let exact = Double(sorted[rank - 1]) / 1e6
      let found = histogram.percentile(share)
      #expect(found >= exact - 1e-9 && found <= exact * 1.01 + 1e-6, "\(share) of \(count)")
    }
    #expect(histogram.maximum == Double(sorted[count - 1]) / 1e6)
    #expect(histogram.percentile(1) <= histogram.maximum)
  }

  @Test func anEmptyHistogramIsZero() {
    #expect((DelayHistogram().percentile(0.5), DelayHistogram().maximum) == (0, 0))
  }

  @Test func delaysOfHoursAreCounted() {
    var histogram = DelayHistogram()
    histogram.add(.seconds(2))
    histogram.add(.nanoseconds(Int64.max))
    #expect(histogram.percentile(0.99) >= 1000 && histogram.maximum == Double(Int64.max) / 1e6)
    // Longer delays are clamped to what 64 bits of nanoseconds can hold.
    histogram.add(.seconds(Int64.max))
    histogram.add(.zero - .seconds(Int64.max))
    #expect(histogram.percentile(0) < 0 && histogram.count == 4)
  }

  @Test(arguments: [-1, 2, Double.infinity, -Double.infinity, Double.nan]) func anInvalidShareDoesNotTrap(
    _ share: Double
  ) {
    var histogram = DelayHistogram()
    histogram.add(.milliseconds(5))
    #expect(histogram.percentile(share) == 5)
  }

  private func histogram(_ offsets: [Int]) -> DelayHistogram {
    var histogram = DelayHistogram()
    for offset in offsets { histogram.add(.milliseconds(offset)) }
    return histogram
  }

  private func isClose(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) <= abs(expected) / 100 + 0.001
  }

  @Test(
    arguments: [
      ([], 0.0), ([5], 5), ([-5], -5), ([-30, 10, 20], 10), ([-30, -20, 10], -20), ([-4, -3, -2, -1], -3),
      ([1, 2, 3, 4], 2), ([-1, 0, 0, 1], 0),
    ] as [([Int], Double)])
  func theMedianHasItsSign(_ offsets: [Int], _ median: Double) {
    #expect(isClose(histogram(offsets).percentile(0.5), median))
    #expect(isClose(histogram(offsets.reversed()).percentile(0.5), median))
  }

  @Test func magnitudesIgnoreTheSign() {
    let offsets = histogram(Array(-99...0) + Array(1...100))
    #expect(isClose(offsets.magnitude(0.99), 99) && isClose(offsets.magnitude(0.5), 50))
    #expect(offsets.maximum == 100 && offsets.count == 200 && offsets.last == 100)
    #expect(histogram([7, -9]).last == -9 && histogram([]).last == nil)
  }
}
