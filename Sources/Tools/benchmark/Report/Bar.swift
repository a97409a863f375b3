/// How good a row must be.
enum Bar: Equatable {
  /// The figure must not be above this.
  case figureAtMost(Double)
  /// The ratio to the row beside must not be above this.
  case ratioAtMost(Double)
  /// The ratio to the row beside must not be below this.
  case ratioAtLeast(Double)

  /// Whether a row of this median figure and median ratio is good enough.
  func isMet(figure: Double, ratio: Double?) -> Bool {
    switch self {
    case .figureAtMost(let limit): figure <= limit
    case .ratioAtMost(let limit): (ratio ?? .infinity) <= limit
    case .ratioAtLeast(let limit): (ratio ?? 0) >= limit
    }
  }

  /// The bar as the table says it; a bar on the ratio begins with a multiplication sign.
  var text: String {
    switch self {
    case .figureAtMost(let limit): "≤ \(Figure.text(limit))"
    case .ratioAtMost(let limit): "× ≤ \(Figure.text(limit))"
    case .ratioAtLeast(let limit): "× ≥ \(Figure.text(limit))"
    }
  }
}
