/// Something that is run once a round and gives the figures of one or more rows.
protocol Measurement {
  /// The rows it gives figures for.
  var rows: [Row] { get }
  /// Why it cannot run here, in a sentence that says what to do; `nil` when it can.
  var obstacle: String? { get }
  /// One round: a figure for each row, by the row's id.
  func run(round: Int) throws -> [String: Double]
}

extension Measurement {
  var obstacle: String? { nil }
}
