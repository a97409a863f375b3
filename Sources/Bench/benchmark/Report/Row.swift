import Foundation

/// A line of the table: the measured quantity, its unit, its reference and its bar.
struct Row {
  /// The name in the machine output: `publish.fill`.
  let id: String
  let title: String
  let unit: Unit
  /// The id of the reference row, which the figures are divided by, round by round.
  let beside: String?
  /// The requirement at the default size.
  let bar: Bar?

  init(_ id: String, _ title: String, _ unit: Unit, beside: String? = nil, bar: Bar? = nil) {
    self.id = id
    self.title = title
    self.unit = unit
    self.beside = beside
    self.bar = bar
  }

  enum Unit: String, Codable {
    case framesPerSecond = "frames/s"
    case nanoseconds = "ns"
    case microseconds = "µs"
    case millisecondsPerSecond = "ms/s"

    /// The figure of what takes this time per frame or per run of a loop.
    func figure(of time: Duration) -> Double {
      switch self {
      case .framesPerSecond: .seconds(1) / time
      case .nanoseconds: time / .nanoseconds(1)
      case .microseconds: time / .microseconds(1)
      case .millisecondsPerSecond: preconditionFailure("no time is measured in \(rawValue)")
      }
    }
  }
}

/// A requirement for the ratio of a row to its reference row. A figure alone depends on the machine.
struct Bar: Equatable {
  private let limit: Double
  private let isUpper: Bool

  static func atMost(_ limit: Double) -> Self { Self(limit: limit, isUpper: true) }
  static func atLeast(_ limit: Double) -> Self { Self(limit: limit, isUpper: false) }

  /// Whether a median ratio meets the requirement.
  func isMet(by ratio: Double) -> Bool { isUpper ? ratio <= limit : ratio >= limit }

  var text: String { "× \(isUpper ? "≤" : "≥") \(limit.figureText)" }
}

extension Double {
  /// The number with at least three significant digits: 2412, 71.3, 0.985, 0.00012.
  var figureText: String {
    guard isFinite, self != 0 else { return self == 0 ? "0" : "\(self)" }
    let decimals = min(6, max(0, 2 - Int(log10(abs(self)).rounded(.down))))
    return formatted(
      .number.precision(.fractionLength(0...decimals)).grouping(.never).locale(
        Locale(identifier: "en_US_POSIX")))
  }
}
