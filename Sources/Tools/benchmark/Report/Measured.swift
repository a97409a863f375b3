/// A row with its figures of all rounds.
struct Measured {
  let row: Row
  let group: Group
  /// A figure a round.
  let values: [Double]
  /// The figure of each round divided by that of the row beside it, in the same round.
  let ratios: [Double]
  /// Why there are none.
  let skipped: String?
  /// Whether the row is the first of those that are measured together.
  let isFirst: Bool

  /// A row from its own figures and those of the row beside it, round by round.
  init(row: Row, group: Group, values: [Double], besides: [Double], skipped: String?, isFirst: Bool) {
    self.row = row
    self.group = group
    self.values = values
    ratios = besides.count == values.count ? zip(values, besides).map { $0 / $1 } : []
    self.skipped = skipped
    self.isFirst = isFirst
  }

  /// Whether the row is as good as it must be; `nil` when there is no bar for it.
  var meetsBar: Bool? {
    guard let bar = row.bar, let figure = Summary(values) else { return nil }
    return bar.isMet(figure: figure.median, ratio: Summary(ratios)?.median)
  }
}
