import CommandLineSupport
import Foundation
import Platform
import Testing

@testable import benchmark

@Suite struct ReportTests {
  private func report(
    _ rows: [Measured], size: PixelSize = BenchmarkOptions.standardSize, isQuick: Bool = false
  ) -> Report {
    Report(machine: "A processor", rounds: 3, countsForBars: !isQuick, size: size, rows: rows)
  }

  private var rows: [Measured] {
    let limit = Row("copy.limit", "the limit", .framesPerSecond)
    let publish = Row("copy.publish", "publish", .framesPerSecond, beside: "copy.limit", bar: .atLeast(0.97))
    let missing = ["one", "two"].map {
      Row("flat.\($0)", "a peer: \($0)", .microseconds)
    }
    return [
      Measured(
        row: limit, group: .copy, values: [2000, 1000, 2100], besides: [], besideUnit: nil, skipped: nil,
        isFirst: true),
      Measured(
        row: publish, group: .copy, values: [1900, 950, 1995], besides: [2000, 1000, 2100],
        besideUnit: .framesPerSecond, skipped: nil,
        isFirst: false),
    ]
      + missing.enumerated().map { index, row in
        Measured(
          row: row, group: .app, values: [], besides: [], besideUnit: nil, skipped: "apt-get install it",
          isFirst: index == 0
        )
      }
  }

  @Test func theTableHasFigureRatioAndBar() throws {
    let lines = report(rows).text.split(separator: "\n").map(String.init)
    let line = try #require(lines.first { $0.hasPrefix("publish") })
    let words = line.split(separator: " ").map(String.init)
    #expect(
      words == [
        "publish", "frames/s", "1900", "950", "1995", "×", "0.95", "copy.limit", "×", "≥", "0.97", "MISSED",
      ])
    #expect(lines.first == "A processor")
  }

  @Test func whatIsNotMeasuredHasOneLine() {
    let lines = report(rows).text.split(separator: "\n").filter { $0.hasPrefix("a peer") }
    #expect(lines == ["a peer  not measured: apt-get install it"])
  }

  @Test func otherSizesHaveNoBar() {
    let text = report(rows, size: PixelSize(width: 1080, height: 720)).text
    #expect(!text.contains("MISSED") && !text.contains("0.97"))
  }

  @Test func aQuickRunJudgesNoBar() {
    let quick = report(rows, isQuick: true)
    #expect(quick.text.contains("≥ 0.97") && !quick.text.contains("MISSED"))
  }

  @Test func theMachineOutputHasEveryRound() throws {
    let data = try report(rows).json()
    let document = try JSONDecoder().decode(Comparison.Round.self, from: data)
    #expect(document.rows.map(\.id) == ["copy.limit", "copy.publish", "flat.one", "flat.two"])
    #expect(document.rows[1].values == [1900, 950, 1995])
    #expect(document.rows[1].ratio == Summary([0.95, 0.95, 0.95]))
    #expect(document.rows[3].skipped == "apt-get install it")
  }

  @Test(arguments: [
    (2412.4, "2412"), (71.345, "71.3"), (0.98512, "0.985"), (0.000_12, "0.00012"), (100, "100"), (5, "5"),
    (0, "0"),
  ])
  func figuresHaveThreeDigitsThatCount(_ value: Double, _ text: String) {
    #expect(value.figureText == text)
  }

  @Test func theProcessorHasItsNameOrItsNumbers() {
    #expect(
      Machine.processor(in: "processor\t: 0\nmodel name\t: AMD EPYC\n\nmodel name\t: other\n") == "AMD EPYC")
    let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
    #expect(Machine.processor(in: arm) == "arm64 processor 0xd0c of maker 0x41")
    #expect(Machine.processor(in: "") == "unknown")
  }
}
