/// The requirement for a row.
enum Bar: Equatable {
  /// The largest figure.
  case figureAtMost(Double)
  /// The largest ratio to the reference row.
  case ratioAtMost(Double)
  /// The smallest ratio to the reference row.
  case ratioAtLeast(Double)

  /// Whether a row of this median figure and median ratio meets the requirement.
  func isMet(figure: Double, ratio: Double?) -> Bool {
    switch self {
    case .figureAtMost(let limit): figure <= limit
    case .ratioAtMost(let limit): (ratio ?? .infinity) <= limit
    case .ratioAtLeast(let limit): (ratio ?? 0) >= limit
    }
  }

  /// The text in the table; a bar for the ratio begins with a multiplication sign.
  var text: String {
    switch self {
    case .figureAtMost(let limit): "≤ \(Figure.text(limit))"
    case .ratioAtMost(let limit): "× ≤ \(Figure.text(limit))"
    case .ratioAtLeast(let limit): "× ≥ \(Figure.text(limit))"
    }
  }
}
