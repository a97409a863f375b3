import Foundation

/// The memory of a process, as Linux counts it.
struct MemoryUse: Codable, Equatable {
  /// Bytes nobody else has mapped.
  var alone = 0
  /// Bytes another process has mapped too.
  var shared = 0

  static let bytesPerMebibyte = 1_048_576.0

  init() {}

  /// The memory that Linux's text of a process' mappings states.
  init(smapsRollup text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else { continue }
      if words[0].hasPrefix("Private_") { alone += kilobytes << 10 }
      if words[0].hasPrefix("Shared_") { shared += kilobytes << 10 }
    }
  }

  /// The memory of this process now.
  static func current() throws -> MemoryUse {
    MemoryUse(smapsRollup: try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8))
  }
}
