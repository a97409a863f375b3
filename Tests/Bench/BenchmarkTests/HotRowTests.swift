import Testing

@testable import benchmark

@Suite struct HotRowTests {
  /// Records the order in which the bodies ran.
  private final class Log {
    var ids: [String] = []
  }

  private let pace = Pace(slices: 3, slice: .nanoseconds(1), flatOut: .zero, paced: .zero)

  @Test func rowsTakeTurns() throws {
    let log = Log()
    let rows = ["a", "b"].map { id in HotRow(.ring, id, id, .nanoseconds) { _ in log.ids.append(id) } }
    let measurement = Measurement(hotRows: rows, pace: pace)
    #expect(try measurement.run() == nil)
    // Each body runs once to find the number of repetitions, then once before each slice and once in it.
    #expect(log.ids.joined() == "abaabbaabbaabb")
    #expect(measurement.rows.map(\.id) == ["a", "b"])
    #expect(
      measurement.rows.allSatisfy { $0.figures.count == 1 && $0.figures[0] > 0 && $0.figures[0].isFinite })
  }
}
