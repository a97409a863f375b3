import Platform
import TestSupport
import Testing

@testable import ContainingApp

@Suite struct OffsetHistogramTests {
  /// A histogram of offsets in milliseconds.
  private func histogram(_ offsets: [Int]) -> OffsetHistogram {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    var histogram = OffsetHistogram()
    for offset in offsets { histogram.add(start + .milliseconds(offset), after: start) }
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
    #expect(isClose(histogram(offsets).median, median), "\(histogram(offsets).median)")
    #expect(isClose(histogram(offsets.reversed()).median, median))
  }

  @Test func magnitudesIgnoreTheSign() {
    let offsets = histogram(Array(-99...0) + Array(1...100))
    #expect(isClose(offsets.magnitude(0.99), 99) && isClose(offsets.magnitude(0.5), 50))
    #expect(offsets.maximum == 100 && offsets.count == 200 && offsets.last == 100)
    #expect(histogram([7, -9]).last == -9 && histogram([]).last == nil)
  }

  @Test func extremeTimesDoNotTrap() {
    var offsets = OffsetHistogram()
    offsets.add(MonotonicTime(nanoseconds: .max), after: 0)
    offsets.add(0, after: MonotonicTime(nanoseconds: .max))
    #expect(offsets.median < 0 && offsets.count == 2)
  }
}
