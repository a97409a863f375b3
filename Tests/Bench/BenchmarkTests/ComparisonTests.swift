import Testing

@testable import benchmark

@Suite struct ComparisonTests {
  /// Compares rounds, each given as the values of its rows.
  private func comparison(_ here: [[String: Double]], _ there: [[String: Double]]) -> Comparison {
    let reports = [here, there].map { rounds in
      rounds.map { figures in
        let rows = figures.keys.sorted().map { id in
          var row = Row(.ring, id, "the row \(id)", .nanoseconds)
          row.values = [figures[id]]
          return row
        }
        return Report(machine: "A processor", rounds: 1, rows: rows)
      }
    }
    return Comparison(against: "/old/benchmark", here: reports[0], there: reports[1])
  }

  @Test func aRowChangedWhenNoFigureOfOneProgramReachesTheOther() {
    let comparison = comparison(
      [["a": 12, "b": 12, "c": 7], ["a": 14, "b": 9, "c": 8], ["a": 13, "b": 11, "c": 6]],
      [["a": 10, "b": 10, "c": 9], ["a": 11, "b": 11, "c": 10], ["a": 10, "b": 12, "c": 9]])
    let rows = comparison.rows
    #expect(rows.map(\.isChanged) == [true, false, true])
    #expect(rows[0].here?.figures == [12, 14, 13] && rows[0].there?.figures == [10, 11, 10])
    #expect(comparison.text.contains("3 alternating rounds of this program and of /old/benchmark"))
    #expect(comparison.text.contains("2 of 3 rows changed"))
    let line = comparison.text.split(separator: "\n").first { $0.hasPrefix("the row a") }
    // The median of the ratios of the rounds: 1.2, 1.27 and 1.3.
    #expect(line?.split(separator: " ").dropFirst(4) == ["13", "10", "1.27", "1.2", "1.3", "changed"])
  }

  @Test func aRowOfOneProgramIsNamedAsSuch() {
    let comparison = comparison([["a": 1, "new": 2]], [["a": 1, "old": 3]])
    #expect(comparison.rows.map { ($0.here ?? $0.there)?.id } == ["a", "new", "old"])
    let lines = comparison.text.split(separator: "\n")
    let ends = lines.suffix(2).map { $0.split(separator: " ").suffix(2).joined(separator: " ") }
    #expect(ends == ["only here", "only there"])
  }

  @Test func aRoundThatMeasuredOneProgramOnlyHasNoRatio() {
    let comparison = comparison(
      [["a": 1], ["a": 2, "b": 20], ["a": 3, "b": 30]], [["a": 1, "b": 10], ["a": 1], ["a": 1, "b": 10]])
    let row = comparison.rows.first { $0.here?.id == "b" }
    #expect(row?.here?.figures == [20, 30] && row?.there?.figures == [10, 10])
    #expect(row?.here?.ratios(to: row?.there) == [3])
  }
}
