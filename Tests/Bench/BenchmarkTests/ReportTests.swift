import TestSupport

@testable import benchmark

@Suite struct ReportTests {
  private func report(size: PixelSize = BenchmarkOptions.standardSize, isQuick: Bool = false) -> Report {
    var limit = Row(.copy, "copy.limit", "the limit", .framesPerSecond)
    var publish = Row(
      .copy, "copy.publish", "publish", .framesPerSecond, beside: "copy.limit", bar: .atLeast(0.97))
    var missing = Row(.app, "app.peer", "a peer", .microseconds)
    limit.values = [2000, 1000, 2100]
    publish.values = [1900, 950, 1995]
    (missing.values, missing.skipped) = ([nil, nil, nil], "needs two cores")
    return Report(
      machine: "A processor", rounds: 3, rows: [limit, publish, missing], size: size, countsForBars: !isQuick)
  }

  @Test func theTableHasFigureRatioAndBar() throws {
    let lines = report().text.split(separator: "\n").map(String.init)
    let line = try #require(lines.first { $0.hasPrefix("publish") })
    let words = line.split(separator: " ").map(String.init)
    #expect(
      words == [
        "publish", "frames/s", "1900", "950", "1995", "×", "0.95", "copy.limit", "×", "≥", "0.97", "MISSED",
      ])
    #expect((lines.first, lines.last) == ("A processor", "a peer  not measured: needs two cores"))
  }

  @Test func otherSizesHaveNoBar() {
    let text = report(size: PixelSize(width: 1080, height: 720)).text
    #expect(!text.contains("MISSED") && !text.contains("0.97"))
  }

  @Test func aQuickRunJudgesNoBar() {
    let quick = report(isQuick: true)
    #expect(quick.text.contains("≥ 0.97") && !quick.text.contains("MISSED"))
  }

  @Test func theMachineOutputHasEveryRound() throws {
    let document = try JSONDecoder().decode(Report.self, from: try JSONEncoder().encode(report()))
    #expect(document.rows.map(\.id) == ["copy.limit", "copy.publish", "app.peer"])
    #expect((document.rows[1].figures, document.rows[2].skipped) == ([1900, 950, 1995], "needs two cores"))
  }

  /// The output of an earlier revision, which had no values for rows that were not measured.
  @Test func theMachineOutputOfAnEarlierRevisionIsRead() throws {
    let text = """
      {"machine": "A", "rounds": 1, "rows": [
        {"size": "8x8", "group": "ring", "id": "a", "title": "A", "unit": "ns", "values": [3], "beside": "b"},
        {"size": "8x8", "group": "ring", "id": "b", "title": "B", "unit": "ns", "skipped": "no reason"}]}
      """
    let rows = try JSONDecoder().decode(Report.self, from: Data(text.utf8)).rows
    #expect(rows.map(\.figures) == [[3], []])
  }

  @Test(arguments: [
    (2412.4, "2412"), (71.345, "71.3"), (0.98512, "0.985"), (0.000_12, "0.00012"), (100, "100"), (5, "5"),
    (0, "0"),
  ]) func figuresHaveThreeDigitsThatCount(_ value: Double, _ text: String) {
    #expect(value.figureText == text)
  }

  @Test func theProcessorHasItsNameOrItsNumber() {
    #expect(
      Machine.processor(in: "processor\t: 0\nmodel name\t: AMD EPYC\n\nmodel name\t: other\n") == "AMD EPYC")
    #expect(Machine.processor(in: "processor\t: 0\nCPU part\t: 0xd0c\n") == "arm64 processor 0xd0c")
    #expect(Machine.processor(in: "") == "unknown processor")
  }
}
