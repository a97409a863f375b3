import Foundation
import Platform

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
