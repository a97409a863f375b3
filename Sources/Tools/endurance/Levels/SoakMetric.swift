import Foundation
import Platform
import SharedMemory

/// What must not grow.
enum SoakMetric: String, CaseIterable {
  case privateMemory, descriptors, threads, mappedRings, containerFiles

  /// What it is called in the table.
  var name: String {
    switch self {
    case .privateMemory: "private memory, KB"
    case .descriptors: "open files"
    case .threads: "threads"
    case .mappedRings: "mapped rings"
    case .containerFiles: "files in the container"
    }
  }

  /// How much more it may be at the end than at the beginning.
  var tolerance: Double {
    switch self {
    // The allocator gives memory back in steps, and the pictures differ in size from life to life: two of the
    // largest are half a megabyte.
    case .privateMemory: 768
    // Each is opened and closed within a life.
    case .descriptors, .mappedRings: 0
    // A crash leaves its ring until the next start.
    case .containerFiles: 1
    // The dispatch library starts and ends threads as it likes.
    case .threads: 2
    }
  }
}

/// What a process, and the container it works in, take at a moment.
struct SoakSample {
  /// The amounts.
  var values: [SoakMetric: Double]

  /// What a process takes now.
  init(of process: Int32, containerFiles: Int) throws {
    func lines(_ name: String) throws -> [Substring] {
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/\(name)"))
      defer { file.closeFile() }
      // To the end: a file of the kernel comes in pieces, of which other ways of reading take the first for all.
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    }
    func number(_ title: String, in name: String) throws -> Double {
      guard let line = try lines(name).first(where: { $0.hasPrefix(title) }),
        let value = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
      else { throw BrokenPromise("/proc/\(process)/\(name) says nothing of \(title)") }
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
