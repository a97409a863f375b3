import Testing
import ToolSupport

@testable import benchmark

@Suite struct RoundFiguresTests {
  /// A measurement of one row, which throws in the rounds without a figure.
  private struct Scripted: Measurement {
    let row: Row
    let figures: [Double?]
    var error: any Error = NotMeasured(reason: "no frame reached the other process")
    private let counter = Counter()
    var obstacle: String? { nil }
    var rows: [Row] { [row] }

    final class Counter { var rounds = 0 }

    init(_ id: String, beside: String? = nil, _ figures: [Double?]) {
      row = Row(id, "the row \(id)", .nanoseconds, beside: beside)
      self.figures = figures
    }

    func run() throws -> [String: Double] {
      defer { counter.rounds += 1 }
      guard let figure = figures[counter.rounds] else { throw error }
      return [row.id: figure]
    }
  }

  private func run(_ measurements: [Scripted]) throws -> (rows: [Measured], reasons: [String]) {
    var figures = RoundFigures()
    var reasons: [String] = []
    for round in 1...measurements[0].figures.count {
      for measurement in measurements {
        if let reason = try figures.run(measurement, round: round) { reasons.append(reason) }
      }
    }
    return (figures.measured(measurements.map { (.handoff, $0) }), reasons)
  }

  @Test func aRowThatIsNotMeasuredHasTheReasonAndTheOthersTheirFigures() throws {
    let (rows, reasons) = try run([Scripted("a", [nil, nil]), Scripted("b", beside: "a", [1, 2])])
    #expect(rows.map(\.values) == [[], [1, 2]])
    #expect(rows[0].skipped == "no frame reached the other process" && rows[1].skipped == nil)
    #expect(rows[1].ratios == [])
    #expect(reasons.count == 2)
  }

  @Test func aRatioIsOfTheRoundsThatMeasuredBoth() throws {
    let (rows, reasons) = try run([
      Scripted("a", [10, nil, 30, 40]), Scripted("b", beside: "a", [nil, 2, 3, 8]),
    ])
    #expect(rows[0].values == [10, 30, 40])
    #expect(rows[1].values == [3, 8] && rows[1].besides == [30, 40])
    #expect(rows[1].ratios == [0.1, 0.2])
    #expect(reasons.count == 2)
  }

  @Test func anotherErrorEndsTheRun() {
    var failing = Scripted("a", [nil])
    failing.error = CheckFailure("the sender exited with code 1")
    #expect(throws: CheckFailure.self) { try run([failing]) }
  }

  @Test func aPairWithoutFramesNamesTheTimesOfItsProcesses() throws {
    let rows = RowSeries(.app, "pair", "a pair").agesAndTimes("age")
    func result(_ times: [Duration], processor: Duration) -> JobResult {
      JobResult(times, elapsed: .milliseconds(2000), processor: processor)
    }
    let sender = result([.microseconds(3)], processor: .milliseconds(90))
    let figures = try ProcessPair.figures(
      of: [(.sender, sender), (.receiver, result([.microseconds(5)], processor: .milliseconds(40)))],
      for: rows)
    #expect(figures["app.pair.age"] == 5)
    #expect(
      throws: NotMeasured(
        reason: "no frame reached the other process; the sender used a processor for 90 of 2000 ms; "
          + "the receiver used a processor for 0.5 of 2000 ms")
    ) {
      try ProcessPair.figures(
        of: [(.sender, sender), (.receiver, result([], processor: .microseconds(500)))], for: rows)
    }
  }
}
