import CommandLineSupport

/// What long lives took, judged: nothing may grow.
struct LevelTable {
  /// Every level.
  private(set) var levels: [Level] = []
  /// What is too high, or cannot be judged.
  private(set) var failures: [String] = []
  private var rows = [["", "first third", "last third", "allowed"]]

  /// Adds what `process` took of these, sample after sample.
  mutating func judge(_ process: String, _ samples: [SoakSample], of metrics: [SoakMetric]) {
    for metric in metrics {
      guard let flatness = Flatness(samples.compactMap { $0.values[metric] }, tolerance: metric.tolerance)
      else {
        failures.append(
          "\(samples.count) samples are too few to judge the \(metric.name) of the \(process); run longer")
        continue
      }
      levels.append(
        Level(
          process: process, metric: metric.rawValue, first: flatness.first, last: flatness.last,
          tolerance: flatness.tolerance))
      rows.append([
        "\(process), \(metric.name)", flatness.first.text(decimals: 1), flatness.last.text(decimals: 1),
        "+\(flatness.tolerance.text(decimals: 0))",
      ])
      if !flatness.isFlat {
        failures.append(
          "\(metric.name) of the long-lived \(process) grew from \(flatness.first) to \(flatness.last)")
      }
    }
  }

  /// The levels as a table.
  var text: String {
    rows.map { row in
      row.enumerated().map { index, cell in
        let padding = String(repeating: " ", count: max(0, (index == 0 ? 34 : 13) - cell.count))
        return index == 0 ? cell + padding : padding + cell
      }.joined()
    }.joined(separator: "\n")
  }
}
