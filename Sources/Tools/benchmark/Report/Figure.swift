import CommandLineSupport

/// The text of numbers in the table.
enum Figure {
  /// At least three significant digits: 2412, 71.3, 0.985, 0.00012.
  static func text(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
    let size = abs(value)
    var decimals = 0
    var bound = 100.0
    while size < bound, decimals < 6 {
      decimals += 1
      bound /= 10
    }
    let text = value.text(decimals: decimals)
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(trimmed.reversed())
  }
}
