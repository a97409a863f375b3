import CommandLineSupport
import Foundation

/// The use of a resource by a long-running process in the first and in the last third of a run.
struct Level: Encodable {
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
  mutating func add(_ process: String, _ samples: [[Resource: Double]], of resources: [Resource]) {
    for resource in resources {
      let (name, tolerance) = resource.facts
      guard let flatness = Flatness(samples.compactMap { $0[resource] }, tolerance: tolerance) else {
        failures.append(
          "\(samples.count) samples are too few to check the \(name) of the \(process); run longer")
        continue
      }
      let (first, last) = (flatness.first, flatness.last)
      levels.append(
        Level(process: process, metric: resource.rawValue, first: first, last: last, tolerance: tolerance))
      rows.append([
        "\(process), \(name)", first.text(decimals: 1), last.text(decimals: 1),
        "+\(tolerance.text(decimals: 0))",
      ])
      if !flatness.isFlat {
        failures.append("\(name) of the long-lived \(process) grew from \(first) to \(last)")
      }
    }
  }

  var text: String {
    rows.map { row in
      row[0].padding(toLength: 34, withPad: " ", startingAt: 0)
        + row.dropFirst().map { String(repeating: " ", count: max(0, 13 - $0.count)) + $0 }.joined()
    }.joined(separator: "\n")
  }
}
