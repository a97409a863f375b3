extension Duration {
  /// Parses a duration as typed: `5`, `5s`, `500ms` or `2m`. `nil` for anything else.
  package init?(typed text: String) {
    let unit = text.trimmingPrefix { !$0.isLetter }
    guard let number = Duration(decimalSeconds: String(text.dropLast(unit.count))) else { return nil }
    switch unit {
    case "", "s": self = number
    case "ms": self = number / 1000
    case "m": self = number * 60
    default: return nil
    }
  }

  /// Parses seconds in plain decimal digits (such as `0.5`), exact to the attosecond.
  ///
  /// `nil` for anything else, such as signs, exponents, a bare point, more than 12 digits before the point, or more than 18
  /// digits after it.
  init?(decimalSeconds text: String) {
    guard text.isPlainDecimal else { return nil }
    let parts = text.split(separator: ".")
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard parts[0].count <= 12, fraction.count <= 18, let seconds = Int64(parts[0]),
      let attoseconds = Int64(fraction + String(repeating: "0", count: 18 - fraction.count))
    else { return nil }
    self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// A non-negative duration in seconds, in plain decimal digits without trailing zeros.
  package var decimalSeconds: String {
    let (seconds, attoseconds) = components
    guard attoseconds != 0 else { return "\(seconds)" }
    let digits = String(attoseconds)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(seconds).\(fraction)"
  }
}

extension String {
  /// Whether the string consists of digits, optionally with a point between digits.
  var isPlainDecimal: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy(\.isPlainInteger)
  }
}

extension StringProtocol {
  /// Whether the string consists of one or more of the digits 0 to 9.
  var isPlainInteger: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
