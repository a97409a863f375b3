import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import ToolSupport

/// A process that runs as long as the run itself, with samples of its resources.
struct LongLivedProcess {
  /// The name of the process in the table.
  let name: String
  let pid: Int32
  private(set) var samples: [[Resource: Double]] = []

  init(_ name: String, _ pid: Int32) { (self.name, self.pid) = (name, pid) }

  /// Samples its use of resources.
  mutating func sample() throws {
    let before = samples.last?[.descriptors] ?? .infinity
    var sample: [Resource: Double] = [:]
    // Its checks open a file for a moment: the flag's list, a lock, the next ring. A file that stays open is growth.
    _ = try holds(within: .seconds(2)) {
      sample = try Resource.use(by: pid)
      return sample[.descriptors, default: 0] <= before
    }
    samples.append(sample)
  }

  /// The newest sample of its private memory, for the progress of a run.
  var memoryText: String {
    "\((samples.last?[.privateMemory] ?? 0).text(decimals: 0)) KB private in the \(name)"
  }
}

/// A resource of a process that must not grow.
enum Resource: String, CaseIterable, Encodable {
  case privateMemory, descriptors, threads, mappedRings

  /// The name in the table, and the allowed growth.
  var facts: (name: String, tolerance: Double) {
    switch self {
    // The allocator returns memory in steps, and the frames differ in size: two of the largest are half a megabyte.
    case .privateMemory: ("private memory, KB", 768)
    // Each poll opens some for a moment.
    case .descriptors: ("open files", 1)
    // The dispatch library starts and ends threads at any time.
    case .threads: ("threads", 2)
    // The next one is mapped before the last is unmapped.
    case .mappedRings: ("mapped rings", 1)
    }
  }

  /// The use of all resources by a process.
  static func use(by process: Int32) throws -> [Resource: Double] {
    func count(_ folder: String) throws -> Double {
      let path = ProcessFiles.path(folder, of: process)
      return Double(try FileManager.default.contentsOfDirectory(atPath: path).count)
    }
    let maps = try ProcessFiles.text(ProcessFiles.path("maps", of: process)).split(separator: "\n")
    return [
      .privateMemory: Double(try ProcessMemory.of(process).anonymous >> 10),
      .descriptors: try count("fd"), .threads: try count("task"),
      .mappedRings: Double(maps.count { $0.contains("frames.ring") }),
    ]
  }
}

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
