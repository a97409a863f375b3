import Foundation

/// The machine of a run.
struct Machine: Codable, Equatable {
  var processor: String
  var cores: Int
  var kernel: String
  var system: String
  var swift: String
  var build: String
  var date: String

  /// This machine.
  static func current(date: Date = Date()) -> Machine {
    let files = FileManager.default
    func text(_ path: String) -> String {
      String(decoding: files.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    func value(_ key: String, in text: String, after separator: Character) -> String {
      let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
      let value = line?.split(separator: separator, maxSplits: 1).dropFirst().first ?? "unknown"
      return value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return Machine(
      processor: value("model name", in: text("/proc/cpuinfo"), after: ":"),
      cores: ProcessInfo.processInfo.activeProcessorCount,
      kernel: text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines),
      system: value("PRETTY_NAME", in: text("/etc/os-release"), after: "="), swift: compiler, build: build,
      date: date.formatted(.iso8601))
  }

  #if DEBUG
    static let isDebug = true
    private static let build = "debug"
  #else
    static let isDebug = false
    private static let build = "release"
  #endif

  #if compiler(>=6.4)
    private static let compiler = "6.4 or later"
  #elseif compiler(>=6.3)
    private static let compiler = "6.3"
  #else
    private static let compiler = "6.2"
  #endif

  /// The description as one line.
  var text: String {
    "\(processor), \(cores) cores, \(system), Linux \(kernel), Swift \(swift), \(build) build, \(date)"
  }
}
