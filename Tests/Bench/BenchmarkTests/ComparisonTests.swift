import Foundation
import Testing

@testable import benchmark

@Suite struct ComparisonTests {
  /// The report of one round.
  private func round(_ figures: [String: Double]) -> Comparison.Round {
    Comparison.Round(
      rows: figures.keys.sorted().map { id in
        Report.Document.Line(
          size: "1170x2532", group: "ring", id: id, title: "the row \(id)", unit: "ns",
          figure: figures[id].flatMap { Summary([$0]) }, values: figures[id].map { [$0] }, beside: nil,
          ratio: nil, skipped: nil)
      })
  }

  private func comparison(_ here: [[String: Double]], _ there: [[String: Double]]) -> Comparison {
    Comparison(
      machine: "A processor", against: "/old/benchmark", here: here.map(round), there: there.map(round))
  }

  @Test func aRowChangedWhenNoFigureOfOneProgramReachesTheOther() throws {
    let rows = comparison(
      [["a": 12, "b": 12, "c": 7], ["a": 14, "b": 9, "c": 8], ["a": 13, "b": 11, "c": 6]],
      [["a": 10, "b": 10, "c": 9], ["a": 11, "b": 11, "c": 10], ["a": 10, "b": 12, "c": 9]]
    ).rows
    #expect(rows.map(\.verdict) == [.above, .same, .below])
    #expect(rows[0].values == [12, 14, 13] && rows[0].otherValues == [10, 11, 10])
    // Each round by itself: 1.2, 1.27 and 1.3.
    #expect(try #require(rows[0].ratio).median == 14.0 / 11)
  }

  @Test func aRowOfOneProgramIsNamedAsSuch() {
    let rows = comparison([["a": 1, "new": 2]], [["a": 1, "old": 3]]).rows
    #expect(rows.map(\.id) == ["a", "new", "old"])
    #expect(rows.map(\.verdict) == [.same, .onlyHere, .onlyThere])
  }

  @Test func aRoundThatMeasuredOneProgramOnlyHasNoRatio() throws {
    let rows = comparison(
      [["a": 1], ["a": 2, "b": 20], ["a": 3, "b": 30]], [["a": 1, "b": 10], ["a": 1], ["a": 1, "b": 10]]
    ).rows
    let row = try #require(rows.first { $0.id == "b" })
    #expect(row.values == [20, 30] && row.otherValues == [10, 10])
    #expect(row.ratio == Summary([3]))
  }

  @Test func theTablesCountTheChangedRows() {
    let comparison = comparison(
      [["a": 12, "b": 1], ["a": 14, "b": 1]], [["a": 10, "b": 1], ["a": 11, "b": 1]])
    #expect(comparison.text.contains("2 alternating rounds of this program and of /old/benchmark"))
    #expect(comparison.text.contains("1 of 2 rows changed"))
    let line = comparison.text.split(separator: "\n").first { $0.hasPrefix("the row a") }
    #expect(line?.hasSuffix("changed") == true)
  }
}
