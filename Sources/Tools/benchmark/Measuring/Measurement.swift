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
