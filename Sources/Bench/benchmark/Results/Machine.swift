import Foundation

/// What the figures were measured on.
enum Machine {
  static func text() -> String {
    let texts = ["/proc/cpuinfo", "/proc/sys/kernel/osrelease"].map { path in
      String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    return "\(processor(in: texts[0])), \(ProcessInfo.processInfo.activeProcessorCount) cores, "
      + "Linux \(texts[1].trimmingCharacters(in: .whitespacesAndNewlines)), "
      + "\(isDebug ? "debug" : "release") build, " + Date.now.formatted(.iso8601)
  }

  /// The name of the processor in the text of `/proc/cpuinfo`. On arm64 it has no name there, but a number, which `lscpu`
  /// translates.
  static func processor(in text: String) -> String {
    func value(_ key: String) -> String? {
      text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        .first { $0.count == 2 && $0[0].trimmingCharacters(in: .whitespaces) == key }
        .map { $0[1].trimmingCharacters(in: .whitespaces) }
    }
    return value("model name") ?? value("CPU part").map { "arm64 processor \($0)" } ?? "unknown processor"
  }

  #if DEBUG
    static let isDebug = true
  #else
    static let isDebug = false
  #endif
}
