/// Rows that are measured together, once per round.
final class Measurement {
  private(set) var rows: [Row]
  private let measure: () throws -> [String: Double]

  /// - Parameter measure: runs one round, and returns the figure of each row by its ID. Throws ``NotMeasured`` if the next
  ///   round may succeed.
  init(_ rows: [Row], _ measure: @escaping () throws -> [String: Double]) {
    self.rows = rows
    self.measure = measure
  }

  /// Runs one round. If it measured nothing because of the host, returns the reason, unless it was returned before.
  func run() throws -> String? {
    var figures: [String: Double] = [:]
    var reason: String?
    do { figures = try measure() } catch let error as NotMeasured { reason = error.reason }
    let isNew = reason != rows[0].skipped
    for index in rows.indices {
      let figure = figures[rows[index].id]
      rows[index].values?.append(figure)
      rows[index].skipped = reason ?? rows[index].skipped
    }
    return isNew ? reason : nil
  }
}

/// A round without figures, because the host gave a process too little CPU time. It ends neither the round nor the program.
struct NotMeasured: Error, Equatable {
  let reason: String
}
