import Foundation
import Platform
import SharedMemory

/// A resource that must not grow.
enum SoakMetric: String, CaseIterable {
  case privateMemory, descriptors, threads, mappedRings, containerFiles

  /// The name in the table.
  var name: String {
    switch self {
    case .privateMemory: "private memory, KB"
    case .descriptors: "open files"
    case .threads: "threads"
    case .mappedRings: "mapped rings"
    case .containerFiles: "files in the container"
    }
  }

  /// The allowed growth.
  var tolerance: Double {
    switch self {
    // The allocator returns memory in steps, and the frames differ in size: two of the largest are half a megabyte.
    case .privateMemory: 768
    // Each is opened and closed within one broadcast.
    case .descriptors, .mappedRings: 0
    // A crash leaves its ring until the next start.
    case .containerFiles: 1
    // The dispatch library starts and ends threads at any time.
    case .threads: 2
    }
  }
}

/// The resources of a process and of its container at a moment.
struct SoakSample {
  var values: [SoakMetric: Double]

  init(of process: Int32, containerFiles: Int) throws {
    func lines(_ name: String) throws -> [Substring] {
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/\(name)"))
      defer { file.closeFile() }
      // Other reading functions return only the first piece of a file of the kernel.
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    }
    func number(_ title: String, in name: String) throws -> Double {
      guard let line = try lines(name).first(where: { $0.hasPrefix(title) }),
        let value = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
      else { throw CheckFailure("/proc/\(process)/\(name) has no \(title)") }
      return value
    }
    values = [
      .privateMemory: Double(try ProcessMemory.of(process).anonymous >> 10),
      .threads: try number("Threads:", in: "status"),
      .descriptors: Double(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count),
      .mappedRings: Double(try lines("maps").filter { $0.contains("frames.ring") }.count),
      .containerFiles: Double(containerFiles),
    ]
  }
}
