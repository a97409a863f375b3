/// A measurement of one or more rows, repeated once per round.
protocol Measurement {
  var rows: [Row] { get }
  /// The reason why it cannot run here, with the remedy; `nil` if it can.
  var obstacle: String? { get }
  /// Runs one round; returns the figure of each row by its id. Throws ``NotMeasured`` if the next round may succeed.
  func run() throws -> [String: Double]
}

/// A round without figures, because the machine gave a process too little time. It ends neither the round nor the program.
struct NotMeasured: Error, Equatable {
  let reason: String
}

/// The figures of the rows, round by round.
struct RoundFigures {
  private var values: [String: [Int: Double]] = [:]
  /// The latest reason why a row was not measured.
  private var reasons: [String: String] = [:]

  /// Runs a measurement once; returns the reason if the machine did not let it measure anything.
  mutating func run(_ measurement: any Measurement, round: Int) throws -> String? {
    do {
      for (id, value) in try measurement.run() { values[id, default: [:]][round] = value }
      return nil
    } catch let error as NotMeasured {
      for row in measurement.rows { reasons[row.id] = error.reason }
      return error.reason
    }
  }

  /// The rows of the measurements. A row with a reference has the figures of the rounds that measured both; if there is no
  /// such round, all its figures.
  func measured(_ all: [(group: RowGroup, measurement: any Measurement)]) -> [Measured] {
    let units = Dictionary(
      all.flatMap { $0.measurement.rows }.map { ($0.id, $0.unit) }, uniquingKeysWith: { first, _ in first })
    return all.flatMap { group, measurement in
      measurement.rows.enumerated().map { index, row in
        let own = values[row.id] ?? [:]
        let beside = row.beside.flatMap { values[$0] } ?? [:]
        let shared = own.keys.filter { beside[$0] != nil }
        let rounds = (shared.isEmpty ? Array(own.keys) : shared).sorted()
        return Measured(
          row: row, group: group, values: rounds.compactMap { own[$0] },
          besides: rounds.compactMap { beside[$0] }, besideUnit: row.beside.flatMap { units[$0] },
          skipped: measurement.obstacle ?? reasons[row.id], isFirst: index == 0)
      }
    }
  }
}
