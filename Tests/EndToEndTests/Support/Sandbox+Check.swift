import BroadcastTesting
import TestSupport

extension Sandbox {
  @MainActor
  func checkRightHandler(
    _ handler: String, _ scenarios: [String], fault: String? = nil, withApp: Bool = false
  ) async throws -> Finished {
    let plist = try infoPlist(principalClass: "RightHandlers.\(handler)")
    var arguments = [
      BuiltPrograms.broadcast.path, "check", BuiltPrograms.rightHandlers.path, "--json", "--info-plist",
      plist.path,
    ]
    arguments += scenarios.flatMap { ["--only", $0] }
    if withApp {
      let app = folder.appending(path: "RightApp")
      try FileManager.default.createSymbolicLink(at: app, withDestinationURL: BuiltPrograms.rightHandlers)
      arguments += ["--app", app.path]
    }
    if let fault { arguments.insert("PLANTED_FAULT=\(fault)", at: 0) }
    let check = try launch(URL(filePath: "/usr/bin/env"), arguments)
    try await check.exitCode(within: .seconds(500))
    return try await finished(check)
  }

  /// Starts busy loops, each of which uses a whole CPU until the test ends.
  func startBusyLoops(_ count: Int) throws {
    // A loop also ends when the test process is killed.
    let loop = "while kill -0 \(getpid()); do n=100000; while [ $n -gt 0 ]; do n=$((n - 1)); done; done"
    for _ in 0..<count { _ = try launch(URL(filePath: "/bin/sh"), ["-c", loop]) }
  }
}
