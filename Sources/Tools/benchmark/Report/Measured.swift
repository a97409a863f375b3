/// The summary of a figure over several rounds.
struct Summary: Equatable, Codable {
  let median: Double
  let min: Double
  let max: Double

  /// `nil` for no figures.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    min = first
    max = last
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// A row with the figures of all rounds.
struct Measured {
  let row: Row
  let group: Group
  /// One figure per round.
  let values: [Double]
  /// The figures of its reference row in the same rounds; empty without one.
  let besides: [Double]
  /// The reason why there are no figures.
  let skipped: String?
  /// Whether the row is the first of those measured together.
  let isFirst: Bool

  /// The figure of each round divided by that of its reference row.
  var ratios: [Double] { besides.count == values.count ? zip(values, besides).map(/) : [] }

  /// Whether the row meets its bar; `nil` if it has none.
  var meetsBar: Bool? {
    guard let bar = row.bar, let figure = Summary(values) else { return nil }
    return bar.isMet(figure: figure.median, ratio: Summary(ratios)?.median)
  }
}
