import Testing

@testable import ContainingApp

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
    for age in ages { histogram.add(age) }
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
    #expect(DelayHistogram().percentile(0.5) == 0)
    #expect(DelayHistogram().maximum == 0)
  }

  @Test func delaysOfHoursAreCounted() {
    var histogram = DelayHistogram()
    histogram.add(2_000_000_000)
    histogram.add(.max)
    #expect(histogram.percentile(0.99) >= 1000)
    #expect(histogram.maximum == Double(UInt64.max) / 1e6)
  }

  @Test(arguments: [-1, 2, Double.infinity, -Double.infinity, Double.nan]) func anInvalidShareDoesNotTrap(
    _ share: Double
  ) {
    var histogram = DelayHistogram()
    histogram.add(5_000_000)
    #expect(histogram.percentile(share) == 5)
  }
}
