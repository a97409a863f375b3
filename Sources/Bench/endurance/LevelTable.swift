import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import ToolSupport

/// A resource of a process that must not grow. The raw value is its name in the table.
enum Resource: String, CaseIterable {
  case privateMemory = "private memory, KB"
  case descriptors = "open files"
  case threads
  case mappedRings = "mapped rings"

  var tolerance: Double {
    switch self {
    // The allocator returns memory in steps, and the frames differ in size: two of the largest take half a megabyte.
    case .privateMemory: 768
    // Each poll opens some files for a moment, and the next ring is mapped before the last one is unmapped.
    case .descriptors, .mappedRings: 1
    // The dispatch library starts and ends threads at any time.
    case .threads: 2
    }
  }

  /// Returns the use of all resources by a process.
  static func use(by process: Int32) throws -> [Resource: Double] {
    func count(_ folder: String) throws -> Double {
      let path = ProcessFiles.path(folder, of: process)
      return Double(try FileManager.default.contentsOfDirectory(atPath: path).count)
    }
    let maps = try ProcessFiles.text(ProcessFiles.path("maps", of: process)).split(separator: "\n")
    return [
      .privateMemory: Double(try ProcessMemory.measure(pid: process).anonymous >> 10),
      .descriptors: try count("fd"), .threads: try count("task"),
      .mappedRings: Double(maps.count { $0.contains("frames.ring") }),
    ]
  }
}

/// A process that runs as long as the run itself, with samples of its resources.
struct LongLivedProcess {
  let pid: Int32
  var samples: [[Resource: Double]] = []

  /// Samples the process's use of resources.
  mutating func sample() throws {
    let before = samples.last?[.descriptors] ?? .infinity
    var sample: [Resource: Double] = [:]
    // The process's checks open a file for a moment (the flag's property list, a lock, the next ring). A file that stays
    // open is growth.
    _ = try holds(within: .seconds(2)) {
      sample = try Resource.use(by: pid)
      return sample[.descriptors, default: 0] <= before
    }
    samples.append(sample)
  }

  /// The latest sample of the private memory, for the progress of a run.
  var memoryText: String {
    "\((samples.last?[.privateMemory] ?? 0).text(decimals: 0)) KB private in the app"
  }
}

/// The resources of the app that runs as long as the run itself. They must not grow.
struct LevelTable {
  private var lines: [[String]] = []
  /// The resources that grew, and the resources with too few samples.
  private(set) var failures: [String] = []

  init(_ process: LongLivedProcess) {
    for resource in Resource.allCases {
      let (name, samples) = (resource.rawValue, process.samples.compactMap { $0[resource] })
      guard let levels = Levels(samples) else {
        failures.append("\(samples.count) samples are too few to check the \(name) of the app; run longer")
        continue
      }
      let texts = [levels.first, levels.last].map { $0.text(decimals: 1) }
      lines.append(["app, \(name)"] + texts + ["+\(resource.tolerance.text(decimals: 0))"])
      if levels.last - levels.first > resource.tolerance {
        failures.append("\(name) of the long-lived app grew from \(texts[0]) to \(texts[1])")
      }
    }
  }

  var text: String {
    let columns = ["", "first third", "last third", "allowed"]
    return TextTable(columns: columns, leftColumns: 1, lines: lines).text(of: lines).joined(separator: "\n")
  }
}
