import TestSupport

@testable import RunReports

@Suite struct LinePlotTests {
  private func points(_ values: [Double?]) -> [LinePlot.Point] {
    values.enumerated().map { LinePlot.Point(time: Double($0.offset), value: $0.element) }
  }

  @Test func aLineHasAGapWhereAValueIsMissing() {
    let plot = LinePlot(
      title: "Age", unit: "ms", series: [.init(name: "median", points: points([1, 2, nil, 4, 3]))])
    #expect(plot.markup(over: 4).components(separatedBy: "<polyline").count == 3)
  }

  @Test func aLineHasAGapWhereNothingWasMeasured() {
    let late = [0.0, 1, 2, 9, 10].map { LinePlot.Point(time: $0, value: 1) }
    let plot = LinePlot(title: "Age", unit: "ms", series: [.init(name: "median", points: late)])
    #expect(plot.markup(over: 10).components(separatedBy: "<polyline").count == 3)
  }

  @Test func aPlotWithoutValuesIsLeftOut() {
    #expect(
      LinePlot(title: "Age", unit: "ms", series: [.init(name: "a", points: points([nil]))]).markup(over: 4)
        == "")
    #expect(LinePlot(title: "Age", unit: "ms", series: []).markup(over: 4) == "")
  }

  @Test func valuesThatWereSampledTogetherAreOneLineForEachName() {
    struct Sample: RunSample { var time: Double, rate: Double? }
    let samples = [Sample(time: 0, rate: 60), Sample(time: 1, rate: nil)]
    let plot = samples.plot("Rate", "fps") { [("in", $0.rate), ("out", nil)] }
    #expect((plot.series.map(\.name), plot.series.first?.points.map(\.value)) == (["in"], [60, nil]))
    #expect([Sample]().plot("Rate", "fps") { [("in", $0.rate)] }.series.isEmpty)
  }

  @Test func theLimitIsWithinThePlot() throws {
    let plot = LinePlot(
      title: "Memory", unit: "MB", series: [.init(name: "used", points: points([3, 4]))],
      limit: LinePlot.Limit("limit", 50)
    )
    let line = try #require(plot.markup(over: 1).firstMatch(of: /class="limit" x1="[0-9.]+" y1="([0-9.]+)"/))
    let height = try #require(Double(line.1))
    #expect((12...176).contains(height))
  }

  @Test(arguments: [
    (0.0, 60.0, 4, [0.0, 20, 40, 60]), (0, 0.9, 4, [0, 0.5, 1]), (-96, 0, 4, [-100, -50, 0]),
    (0, 0, 4, [0, 0.5]),
  ])
  func ticksAreRoundAndCoverTheValues(low: Double, high: Double, count: Int, expected: [Double]) {
    #expect(LinePlot.ticks(from: low, to: high, count: count) == expected)
  }

  /// Labels in minutes and seconds would repeat between whole seconds.
  @Test(
    arguments: [
      (1.0, [0.0, 1]), (7.5, [0, 1, 2, 3, 4, 5, 6, 7]), (60, [0, 10, 20, 30, 40, 50, 60]),
      (100, [0, 15, 30, 45, 60, 75, 90]), (3600, [0, 600, 1200, 1800, 2400, 3000, 3600]),
      (100_000, [0, 14_400, 28_800, 43_200, 57_600, 72_000, 86_400]),
    ] as [(Double, [Double])])
  func timesAreWholeSecondsAndPartsOfMinutes(duration: Double, expected: [Double]) {
    #expect(LinePlot.timeTicks(to: duration) == expected)
  }

  @Test func peaksStayInLongRuns() {
    // Decibels: a peak is the value nearest to zero.
    var run = (0..<36_000).map { (time: Double($0), value: -96.0) }
    for (index, value) in [(20_001, -6.0), (30_000, -99)] { run[index].value = value }
    let thinned = LinePlot.thinned(run, by: 180)
    #expect(thinned.count == 400 && thinned.map(\.time) == thinned.map(\.time).sorted())
    for time in [20_001.0, 30_000] { #expect(thinned.contains { $0.time == time }) }
    // The distance between two remaining values is not a gap.
    let plot = LinePlot(
      title: "Peak", unit: "dB",
      series: [.init(name: "app", points: run.map { .init(time: $0.time, value: $0.value) })])
    #expect(plot.markup(over: 36_000).ranges(of: "<polyline").count == 1)
  }
}
