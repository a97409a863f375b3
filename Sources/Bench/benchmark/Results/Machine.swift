import Foundation

/// Describes the machine on which the figures were measured.
enum Machine {
  static func text() -> String {
    let texts = ["/proc/cpuinfo", "/proc/sys/kernel/osrelease"].map { path in
      String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    return "\(processor(in: texts[0])), \(ProcessInfo.processInfo.activeProcessorCount) cores, "
      + "Linux \(texts[1].trimmingCharacters(in: .whitespacesAndNewlines)), "
      + "\(isDebug ? "debug" : "release") build, " + Date.now.formatted(.iso8601)
  }

  /// Returns the name of the processor in the text of `/proc/cpuinfo`. On arm64 the file has a number instead of a name,
  /// which `lscpu` translates.
  static func processor(in text: String) -> String {
    func value(_ key: String) -> String? {
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2, parts[0] == key { return parts[1] }
      }
      return nil
    }
    return value("model name") ?? value("CPU part").map { "arm64 processor \($0)" } ?? "unknown processor"
  }

  #if DEBUG
    static let isDebug = true
  #else
    static let isDebug = false
  #endif
}
