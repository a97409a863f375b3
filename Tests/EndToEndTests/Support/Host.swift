import Foundation

/// The user and the tools that tests depend on.
enum Host {
  static let isRoot = getuid() == 0
  static let python = program("python3")
  /// A Python with aiortc, which may be that of the system beside another one.
  static let pythonWithAiortc = [python, URL(filePath: "/usr/bin/python3")].lazy.compactMap { $0 }.first {
    let process = Process()
    process.executableURL = $0
    process.arguments = ["-c", "import aiortc"]
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
  static let chromium = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(program).first
  static let firefox = ["firefox", "firefox-esr"].lazy.compactMap(program).first
  static let janus = program("janus")
  static let setpriv = program("setpriv")

  /// The processes whose command line contains each of these texts.
  static func processes(with texts: String...) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
      // That of a process that has ended is empty.
      let words = FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()
      let line = String(decoding: words, as: UTF8.self)
      return texts.allSatisfy { line.contains($0) }
    }
  }

  private static func program(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
