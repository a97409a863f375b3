import Foundation

/// The user and the tools that tests depend on.
enum Host {
  static let isRoot = getuid() == 0
  static let python = program("python3")
  static let chromium = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(program).first
  static let setpriv = program("setpriv")

  private static func program(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
