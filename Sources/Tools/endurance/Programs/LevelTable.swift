import CommandLineSupport

/// The use of a resource by a long-running process in the first and in the last third of a run.
struct Level: Codable, Equatable {
  var process: String
  var metric: String
  var first: Double
  var last: Double
  var tolerance: Double
}

/// The resources of long-running processes, none of which may grow.
struct LevelTable {
  private(set) var levels: [Level] = []
  /// The levels that are too high, and those with too few samples.
  private(set) var failures: [String] = []
  private var rows = [["", "first third", "last third", "allowed"]]

  /// Adds the samples of a process.
  mutating func add(_ process: String, _ samples: [SoakSample], of metrics: [SoakMetric]) {
    for metric in metrics {
      guard let flatness = Flatness(samples.compactMap { $0.values[metric] }, tolerance: metric.tolerance)
      else {
        failures.append(
          "\(samples.count) samples are too few to check the \(metric.name) of the \(process); run longer")
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

  var text: String {
    rows.map { row in
      row.enumerated().map { index, cell in
        let padding = String(repeating: " ", count: max(0, (index == 0 ? 34 : 13) - cell.count))
        return index == 0 ? cell + padding : padding + cell
      }.joined()
    }.joined(separator: "\n")
  }
}
