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
  /// The figure of each round divided by that of its reference row, in the same round.
  let ratios: [Double]
  /// The reason why there are none.
  let skipped: String?
  /// Whether the row is the first of those measured together.
  let isFirst: Bool

  /// A row from its own figures and those of its reference row, round by round.
  init(row: Row, group: Group, values: [Double], besides: [Double], skipped: String?, isFirst: Bool) {
    self.row = row
    self.group = group
    self.values = values
    ratios = besides.count == values.count ? zip(values, besides).map { $0 / $1 } : []
    self.skipped = skipped
    self.isFirst = isFirst
  }

  /// Whether the row meets its bar; `nil` if it has none.
  var meetsBar: Bool? {
    guard let bar = row.bar, let figure = Summary(values) else { return nil }
    return bar.isMet(figure: figure.median, ratio: Summary(ratios)?.median)
  }
}
