import Programs
import Testing

@testable import endurance

@Suite struct FlatnessTests {
  @Test func aLevelSeriesIsFlat() throws {
    let flatness = try #require(Flatness(Array(repeating: 14, count: 30), tolerance: 0))
    #expect(flatness.isFlat)
    #expect(flatness.first == 14 && flatness.last == 14)
  }

  @Test func aSlowlyGrowingSeriesIsNotFlat() throws {
    #expect(try #require(Flatness((0..<30).map { 1000 + 50 * Double($0) }, tolerance: 768)).isFlat == false)
    #expect(try #require(Flatness((0..<30).map { 14 + Double($0 / 10) }, tolerance: 0)).isFlat == false)
  }

  @Test func growthWithinTheToleranceIsFlatAndJustBeyondItIsNot() throws {
    func series(_ growth: Double) -> [Double] { (0..<12).map { $0 < 6 ? 10 : 10 + growth } }
    #expect(try #require(Flatness(series(2), tolerance: 2)).isFlat)
    #expect(try #require(Flatness(series(2.5), tolerance: 2)).isFlat == false)
  }

  @Test func aSeriesThatFallsIsFlat() throws {
    #expect(try #require(Flatness((0..<30).map { 100 - Double($0) }, tolerance: 0)).isFlat)
  }

  @Test func noiseAndSingleOutliersDoNotMatter() throws {
    var random = SeededGenerator(seed: 3)
    var series = (0..<60).map { _ in 2000 + Double.random(in: -300...300, using: &random) }
    series[55] = 90_000
    #expect(try #require(Flatness(series, tolerance: 768)).isFlat)
  }

  @Test func growthInTheFirstSixthDoesNotCount() throws {
    #expect(try #require(Flatness([1, 1, 1] + Array(repeating: 9, count: 17), tolerance: 0)).isFlat)
  }

  @Test func tooFewSamplesHaveNoResult() {
    #expect(Flatness([1, 2, 3, 4, 5, 6, 7], tolerance: 0) == nil)
  }
}
