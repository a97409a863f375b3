import LaunchedPrograms
import Testing

@testable import endurance

@Suite struct LevelsTests {
  private static let noise: [Double] = {
    var random = SeededGenerator(seed: 3)
    var series = (0..<60).map { _ in 2000 + Double.random(in: -300...300, using: &random) }
    // A single outlier.
    series[55] = 90_000
    return series
  }()

  /// Returns the failures of a process with these samples of private memory, which may grow by 768 KB.
  private func failures(_ series: [Double]) -> [String] {
    var process = LongLivedProcess(pid: 1)
    process.samples = series.map { [.privateMemory: $0, .descriptors: 5, .threads: 3, .mappedRings: 1] }
    return LevelTable(process).failures
  }

  private static let growing = (0..<30).map(Double.init)
  private static let series: [(name: String, samples: [Double], isLevel: Bool)] = [
    ("level", growing.map { _ in 14 }, true),
    ("falling", growing.map { 9000 - 300 * $0 }, true),
    ("slowly growing", growing.map { 1000 + 50 * $0 }, false),
    ("growing in steps", growing.map { 14 + 800 * ($0 / 10).rounded(.down) }, false),
    ("growing within the tolerance", growing.prefix(12).map { $0 < 6 ? 10 : 778 }, true),
    ("growing just beyond it", growing.prefix(12).map { $0 < 6 ? 10 : 778.5 }, false),
    ("noise", noise, true),
    ("growing in the first sixth", growing.prefix(20).map { $0 < 3 ? 1 : 9000 }, true),
  ]

  @Test(arguments: series)
  func aSeriesThatGrowsIsAFailure(_ name: String, _ series: [Double], _ isLevel: Bool) throws {
    #expect(failures(series).count == (isLevel ? 0 : 1))
    let levels = try #require(Levels(series))
    if name == "level" { #expect(levels.first == 14 && levels.last == 14) }
  }

  @Test func tooFewSamplesAreAFailure() {
    #expect(Levels([1, 2, 3, 4, 5, 6, 7]) == nil)
    #expect(failures([1, 2, 3, 4, 5, 6, 7]).allSatisfy { $0.hasPrefix("7 samples are too few") })
  }
}
