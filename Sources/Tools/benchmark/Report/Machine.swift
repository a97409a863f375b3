import CBenchmark
import CommandLineSupport
import Foundation

struct Machine: Codable, Equatable {
  var processor: String
  var cores: Int
  var kernel: String
  var system: String
  var swift: String
  var build: String
  var date: String

  static func current() -> Machine {
    let files = FileManager.default
    func text(_ path: String) -> String {
      String(decoding: files.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    return Machine(
      processor: processor(in: text("/proc/cpuinfo")),
      cores: ProcessInfo.processInfo.activeProcessorCount,
      kernel: text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines),
      system: value("PRETTY_NAME", in: text("/etc/os-release"), after: "=") ?? "unknown", swift: compiler,
      build: build, date: Date.now.formatted(.iso8601))
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

  static var isDebug: Bool { build == "debug" }

  #if DEBUG
    private static let build = "debug"
  #else
    private static let build = "release"
  #endif

  #if compiler(>=6.4)
    private static let compiler = "6.4 or later"
  #else
    private static let compiler = "6.3"
  #endif

  var text: String {
    "\(processor), \(cores) cores, \(system), Linux \(kernel), Swift \(swift), \(build) build, \(date)"
  }
}

/// The use of the machine's processors up to a moment.
struct MachineLoad {
  /// The time of all cores, in seconds.
  private let total: Double
  /// The busy time of all cores, in seconds.
  private let busy: Double
  /// The time in which the host ran something else, in seconds.
  private let stolen: Double
  /// The use by this process and by its ended children.
  private let own: ProcessorUse

  /// The load from the kernel's counters: the first line of `/proc/stat`, and the use by this process.
  init(stat text: String, own: ProcessorUse) {
    let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
    let ticksPerSecond = 100.0
    // User, nice, system, idle, waiting for a disk, interrupts, soft interrupts, stolen; then parts of the first two.
    let parts = ticks.prefix(8).map { $0 / ticksPerSecond }
    total = parts.reduce(0, +)
    busy = total - parts.dropFirst(3).prefix(2).reduce(0, +)
    stolen = parts.count == 8 ? parts[7] : 0
    self.own = own
  }

  /// The load up to now; zeros if the kernel does not report it.
  static func current() -> MachineLoad {
    let text = FileManager.default.contents(atPath: "/proc/stat") ?? Data()
    return MachineLoad(
      stat: String(decoding: text, as: UTF8.self), own: .current() + .current(ofChildren: true))
  }

  /// What disturbed this process since an earlier moment.
  func disturbance(since start: MachineLoad) -> Disturbance {
    let time = max(total - start.total, 0.01)
    let others = (busy - start.busy) - (own.time - start.own.time) / .seconds(1)
    return Disturbance(
      takenByOthers: max(0, min(1, others / time)), stolen: max(0, min(1, (stolen - start.stolen) / time)),
      involuntarySwitches: own.involuntarySwitches - start.own.involuntarySwitches)
  }
}

/// What disturbed a run.
struct Disturbance: Codable, Equatable {
  /// The share of the machine that other processes and the host used, 0 to 1.
  var takenByOthers: Double
  /// The share of it that the host of a virtual machine used, 0 to 1; 0 where the host does not report it.
  var stolen: Double
  /// How often the kernel gave a processor of the benchmark's processes to another process.
  var involuntarySwitches: Int

  /// A sentence.
  var text: String {
    "Other processes took \((100 * takenByOthers).text(decimals: 0)) % of the machine in that time, of which the host "
      + "of a virtual machine \((100 * stolen).text(decimals: 0)) %; the benchmark lost a processor "
      + "\(involuntarySwitches) times"
  }
}

/// The use of the processors by processes. The corresponding C function is `getrusage`; the members of its result are
/// visible to Swift in some builds only.
struct ProcessorUse: Equatable {
  var time: Duration
  var involuntarySwitches: Int

  /// The use by this process, or by its children that have ended.
  static func current(ofChildren: Bool = false) -> Self {
    let usage = benchmark_usage(ofChildren)
    return Self(
      time: .microseconds(usage.processor_time), involuntarySwitches: Int(usage.involuntary_switches))
  }

  static func + (one: Self, other: Self) -> Self {
    Self(
      time: one.time + other.time, involuntarySwitches: one.involuntarySwitches + other.involuntarySwitches)
  }
}
