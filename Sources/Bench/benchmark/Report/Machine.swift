import Foundation

/// What the figures were measured on.
enum Machine {
  static func text() -> String {
    let files = FileManager.default
    func text(_ path: String) -> String {
      String(decoding: files.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    let kernel = text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines)
    let system = value("PRETTY_NAME", in: text("/etc/os-release"), after: "=") ?? "unknown"
    return "\(processor(in: text("/proc/cpuinfo"))), \(ProcessInfo.processInfo.activeProcessorCount) cores, "
      + "\(system), Linux \(kernel), Swift \(compiler), \(isDebug ? "debug" : "release") build, "
      + Date.now.formatted(.iso8601)
  }

  /// The name of the processor in the text of `/proc/cpuinfo`. On arm64 it has no name there, but the numbers of its maker
  /// and its model, which `lscpu` translates.
  static func processor(in text: String) -> String {
    if let name = value("model name", in: text, after: ":") { return name }
    guard let maker = value("CPU implementer", in: text, after: ":"),
      let model = value("CPU part", in: text, after: ":")
    else { return "unknown" }
    return "arm64 processor \(model) of maker \(maker)"
  }

  /// The value of the first line with a key.
  private static func value(_ key: String, in text: String, after separator: Character) -> String? {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: separator, maxSplits: 1).map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
      }
      if parts.count == 2, parts[0] == key { return parts[1] }
    }
    return nil
  }

  #if DEBUG
    static let isDebug = true
  #else
    static let isDebug = false
  #endif

  #if compiler(>=6.4)
    private static let compiler = "6.4 or later"
  #else
    private static let compiler = "6.3"
  #endif
}
