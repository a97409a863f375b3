import CommandLineSupport
import Foundation
import Programs
import ToolSupport

/// The use of a resource by a long-running process in the first and in the last third of a run.
struct Level: Encodable {
  var process: String, metric: Resource
  var first: Double, last: Double, tolerance: Double
}

/// The resources of long-running processes, none of which may grow.
struct LevelTable {
  private(set) var levels: [Level] = []
  /// The levels that are too high, and those with too few samples.
  private(set) var failures: [String] = []

  init(_ processes: [LongLivedProcess], of resources: [Resource] = Resource.allCases) {
    for process in processes {
      for resource in resources { add(resource, of: process) }
    }
  }

  private mutating func add(_ resource: Resource, of longLived: LongLivedProcess) {
    let (process, samples) = (longLived.name, longLived.samples.compactMap { $0[resource] })
    let (name, tolerance) = resource.facts
    guard let flatness = Flatness(samples, tolerance: tolerance) else {
      failures.append(
        "\(samples.count) samples are too few to check the \(name) of the \(process); run longer")
      return
    }
    let (first, last) = (flatness.first, flatness.last)
    levels.append(Level(process: process, metric: resource, first: first, last: last, tolerance: tolerance))
    if !flatness.isFlat {
      failures.append("\(name) of the long-lived \(process) grew from \(first) to \(last)")
    }
  }

  var text: String {
    let lines = levels.map { level in
      [
        "\(level.process), \(level.metric.facts.name)", level.first.text(decimals: 1),
        level.last.text(decimals: 1), "+\(level.tolerance.text(decimals: 0))",
      ]
    }
    let columns = ["", "first third", "last third", "allowed"]
    return TextTable(columns: columns, leftColumns: 1, lines: lines).text(of: lines).joined(separator: "\n")
  }
}

/// Whether a series of samples stays level: the last third compared with the first, after a warm-up.
///
/// The medians are compared, so that single samples do not matter. A longer series shows a slower growth.
struct Flatness: Equatable {
  let first: Double
  let last: Double
  let tolerance: Double

  static let fewest = 8

  /// The result for a series; `nil` if it is too short.
  ///
  /// The first sixth is left out, because pools, caches and threads are created on first use.
  init?(_ samples: [Double], tolerance: Double) {
    let level = samples.dropFirst(samples.count / 6)
    let third = level.count / 3
    guard samples.count >= Self.fewest, let first = level.prefix(third).median,
      let last = level.suffix(third).median
    else { return nil }
    (self.first, self.last, self.tolerance) = (first, last, tolerance)
  }

  var isFlat: Bool { last - first <= tolerance }
}
