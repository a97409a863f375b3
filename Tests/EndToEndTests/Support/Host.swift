import TestSupport

/// The user that runs the tests, and the permissions of the host.
enum Host {
  static let isRoot = getuid() == 0
  static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  static let faultyNetwork = Document.package.appending(path: "Docs/Examples/faulty-network")
  /// Whether ``faultyNetwork`` can lose packets and limit the rate.
  static let canMakeNetworks = runs(faultyNetwork, ["--rate", "1000", "--", "true"])
  /// Whether the kernel can delay packets too.
  static let canDelayPackets = canMakeNetworks && runs(faultyNetwork, ["--delay", "1", "--", "true"])

  /// Returns the processes whose command line contains all of these strings.
  static func processes(with texts: String...) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
      // The command line of a process that has exited is empty.
      let words = FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()
      let line = String(decoding: words, as: UTF8.self)
      return texts.allSatisfy { line.contains($0) }
    }
  }

  private static func runs(_ program: URL, _ arguments: [String]) -> Bool {
    do {
      return try ChildProcess(program, arguments, output: .nullDevice, errors: "/dev/null").end() == .exit(0)
    } catch {
      return false
    }
  }
}
