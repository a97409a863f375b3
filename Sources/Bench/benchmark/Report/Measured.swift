import LaunchedPrograms

/// The summary of a figure over several rounds.
struct Summary: Equatable, Codable {
  let median: Double
  let min: Double
  let max: Double

  init?(_ values: [Double]) {
    guard let median = values.median, let min = values.min(), let max = values.max() else { return nil }
    (self.median, self.min, self.max) = (median, min, max)
  }
}

/// A row with the figures of all rounds.
struct Measured {
  let row: Row
  let group: RowGroup
  /// One figure for each round that measured it.
  let values: [Double]
  /// The figures of its reference row in the same rounds; empty without one.
  let besides: [Double]
  let besideUnit: Row.Unit?
  /// The reason why there are no figures, or fewer than rounds.
  let skipped: String?
  /// Whether the row is the first of those measured together.
  let isFirst: Bool

  /// The figure of each round divided by that of its reference row.
  var ratios: [Double] { besides.count == values.count ? zip(values, besides).map(/) : [] }

  /// Whether the row meets its bar, as the table says it; `nil` if it has none.
  ///
  /// A row with a reference is judged by the rounds in which the reference was steady: at most a tenth from its median.
  /// If these are less than half of the rounds, the machine was not the same for long enough.
  var judgement: String? {
    guard let bar = row.bar, !values.isEmpty else { return nil }
    guard !ratios.isEmpty, let reference = Summary(besides) else {
      return "not judged: the reference was not measured"
    }
    let rounds = values.indices.filter { abs(besides[$0] - reference.median) <= reference.median / 10 }
    guard 2 * rounds.count >= values.count, let ratio = Summary(rounds.map { ratios[$0] }) else {
      return "not judged: the reference varied from \(reference.min.figureText) to "
        + "\(reference.max.figureText) \((besideUnit ?? row.unit).rawValue)"
    }
    return bar.isMet(by: ratio.median) ? "met" : "MISSED"
  }
}
