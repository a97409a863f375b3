import LaunchedPrograms
import Testing

@testable import endurance

@Suite struct FlatnessTests {
  private static let noise: [Double] = {
    var random = SeededGenerator(seed: 3)
    var series = (0..<60).map { _ in 2000 + Double.random(in: -300...300, using: &random) }
    // A single outlier.
    series[55] = 90_000
    return series
  }()

  @Test(
    arguments: [
      ("level", Array(repeating: 14, count: 30), 0, true),
      ("falling", (0..<30).map { 100 - Double($0) }, 0, true),
      ("slowly growing", (0..<30).map { 1000 + 50 * Double($0) }, 768, false),
      ("growing in steps", (0..<30).map { 14 + Double($0 / 10) }, 0, false),
      ("growing within the tolerance", (0..<12).map { $0 < 6 ? 10 : 12 }, 2, true),
      ("growing just beyond it", (0..<12).map { $0 < 6 ? 10 : 12.5 }, 2, false), ("noise", noise, 768, true),
      ("growing in the first sixth", [1, 1, 1] + Array(repeating: 9, count: 17), 0, true),
    ] as [(String, [Double], Double, Bool)])
  func aSeriesIsFlatThatDoesNotGrow(_ name: String, _ series: [Double], _ tolerance: Double, _ isFlat: Bool)
    throws
  {
    let flatness = try #require(Flatness(series, tolerance: tolerance))
    #expect(flatness.isFlat == isFlat)
    if name == "level" { #expect(flatness.first == 14 && flatness.last == 14) }
  }

  @Test func tooFewSamplesHaveNoResult() {
    #expect(Flatness([1, 2, 3, 4, 5, 6, 7], tolerance: 0) == nil)
  }
}
