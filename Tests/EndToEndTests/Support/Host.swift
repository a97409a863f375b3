import Foundation
import TestSupport

/// The user and the tools that tests depend on.
enum Host {
  static let isRoot = getuid() == 0
  static let python = program("python3")
  /// A Python with aiortc, which may be that of the system beside another one.
  static let pythonWithAiortc = [python, URL(filePath: "/usr/bin/python3")].lazy.compactMap { $0 }
    .first { runs($0, ["-c", "import aiortc"]) }
  static let chromium = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(program).first
  static let firefox = ["firefox", "firefox-esr"].lazy.compactMap(program).first
  static let janus = program("janus")
  static let setpriv = program("setpriv")
  static let nsenter = program("nsenter")
  static let faultyNetwork = Document.package.appending(path: "Docs/Examples/faulty-network")
  /// Whether ``faultyNetwork`` works for packets that are lost and for narrow lines.
  static let canMakeNetworks = nsenter != nil && runs(faultyNetwork, ["--rate", "1000", "--", "true"])
  /// Whether the kernel can delay packets too.
  static let canDelayPackets = canMakeNetworks && runs(faultyNetwork, ["--delay", "1", "--", "true"])

  /// The processes whose command line contains each of these texts.
  static func processes(with texts: String...) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
      // That of a process that has ended is empty.
      let words = FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()
      let line = String(decoding: words, as: UTF8.self)
      return texts.allSatisfy { line.contains($0) }
    }
  }

  /// Whether a program exits with 0.
  private static func runs(_ program: URL, _ arguments: [String]) -> Bool {
    do {
      return try ChildProcess(program, arguments, output: .nullDevice, errors: "/dev/null").end() == .exit(0)
    } catch {
      return false
    }
  }

  private static func program(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
