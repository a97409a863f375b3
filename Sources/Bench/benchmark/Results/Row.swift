import Foundation
import LaunchedPrograms

/// A line of the table: the measured quantity, its unit, its reference and its bar, with a figure for each round.
struct Row: Codable {
  /// The name in a comparison: `publish.fill`.
  let id: String
  let title: String
  let unit: Unit
  /// The ID of the reference row. The figures are divided by its figures, round by round.
  let beside: String?
  /// The requirement at the default size.
  let bar: Bar?
  let group: RowGroup
  /// The figure of each round. An element is `nil` if the round measured nothing; the array is `nil` if there is no round.
  var values: [Double?]? = []
  /// The latest reason why a round measured nothing.
  var skipped: String?

  init(
    _ group: RowGroup, _ id: String, _ title: String, _ unit: Unit, beside: String? = nil, bar: Bar? = nil
  ) {
    self.group = group
    self.id = id
    self.title = title
    self.unit = unit
    self.beside = beside
    self.bar = bar
  }

  /// The figures of the rounds that measured the row.
  var figures: [Double] { values?.compactMap(\.self) ?? [] }

  /// Returns the figures of this row and of another row, for the rounds that measured both.
  private func pairs(with other: Row?) -> [(own: Double, other: Double)] {
    zip(values ?? [], other?.values ?? []).compactMap { own, other in
      own.flatMap { own in other.map { (own, $0) } }
    }
  }

  func ratios(to other: Row?) -> [Double] { pairs(with: other).map { $0.own / $0.other } }

  /// Returns the table's text about whether the row meets its bar; `nil` if the row has no bar.
  ///
  /// The row is judged by the rounds in which the reference was steady (within a tenth of its median). If these are less
  /// than half of the rounds, the conditions on the host were not constant for long enough.
  func judgement(beside reference: Row?) -> String? {
    guard let bar, !figures.isEmpty else { return nil }
    let pairs = pairs(with: reference)
    guard let reference, let summary = Summary(pairs.map(\.other)) else {
      return "not judged: the reference was not measured"
    }
    let steady = pairs.filter { abs($0.other - summary.median) <= summary.median / 10 }
    guard 2 * steady.count >= pairs.count, let ratio = steady.map({ $0.own / $0.other }).median else {
      return "not judged: the reference varied from \(summary.min.figureText) to \(summary.max.figureText) "
        + reference.unit.rawValue
    }
    return bar.isMet(by: ratio) ? "met" : "MISSED"
  }

  enum Unit: String, Codable {
    case framesPerSecond = "frames/s"
    case nanoseconds = "ns"
    case microseconds = "µs"
    case millisecondsPerSecond = "ms/s"

    /// Returns the figure for a time per frame, per run of a loop, or per second.
    func figure(of time: Duration) -> Double {
      switch self {
      case .framesPerSecond: .seconds(1) / time
      case .nanoseconds: time / .nanoseconds(1)
      case .microseconds: time / .microseconds(1)
      case .millisecondsPerSecond: time / .milliseconds(1)
      }
    }
  }
}

/// A requirement on the ratio of a row to its reference row. A figure alone depends on the machine.
enum Bar: Equatable, Codable {
  case atMost(Double), atLeast(Double)

  /// Whether a median ratio meets the requirement.
  func isMet(by ratio: Double) -> Bool {
    switch self {
    case .atMost(let limit): ratio <= limit
    case .atLeast(let limit): ratio >= limit
    }
  }

  var text: String {
    switch self {
    case .atMost(let limit): "× ≤ \(limit.figureText)"
    case .atLeast(let limit): "× ≥ \(limit.figureText)"
    }
  }
}

/// The summary of a figure over several rounds.
struct Summary: Equatable {
  let median, min, max: Double

  init?(_ values: [Double]) {
    guard let median = values.median, let min = values.min(), let max = values.max() else { return nil }
    self.median = median
    self.min = min
    self.max = max
  }

  var texts: [String] { [median, min, max].map(\.figureText) }
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
