/// A measurement of one or more rows, repeated once per round.
protocol Measurement {
  var rows: [Row] { get }
  /// The reason why it cannot run here, with the remedy; `nil` if it can.
  var obstacle: String? { get }
  /// Runs one round; returns the figure of each row by its id.
  func run() throws -> [String: Double]
}

/// The reason why a measurement failed: one sentence.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
