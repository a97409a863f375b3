import TestSupport

/// A model in `Model` for spin.
enum RingModel: String, CustomStringConvertible {
  case frames, audio

  var description: String { rawValue }

  struct Outcome: CustomStringConvertible {
    let report: String
    /// The number of errors found; `nil` if the search did not finish.
    let errors: Int?
    let violation: String?
    let states: Double

    /// Whether every state was visited.
    let isComplete: Bool

    var description: String { report }

    init(report: String) {
      self.report = report
      errors = report.firstMatch(of: /errors: (\d+)/).flatMap { Int($0.1) }
      violation = report.firstMatch(of: /assertion violated (.*) \(at depth/).map { String($0.1) }
      states = report.firstMatch(of: /([0-9.e+]+) states, stored/).flatMap { Double($0.1) } ?? 0
      isComplete =
        errors == 0 && !report.contains("max search depth too small") && !report.contains("MEMLIM")
        && !report.contains("Search not completed")
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Searches the model with these definitions completely, or up to the first error. If an error is found soon, optimizing
  /// the search takes longer than the search.
  func search(_ definitions: [String], optimized: Bool = true) async throws -> Outcome {
    let folder = try TemporaryFolder()
    let model = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "\(rawValue).pml").path
    try await Self.succeed("spin", definitions.map { "-D\($0)" } + ["-a", model], in: folder.path)
    let options = [optimized ? "-O1" : "-O0", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=1024"]
    try await Self.succeed("gcc", options + ["-o", "pan", "pan.c"], in: folder.path)
    let search = try await FinishedProgram(URL(filePath: folder("pan")), ["-m100000"], in: folder.path)
    return Outcome(report: search.output)
  }

  private static func succeed(_ tool: String, _ arguments: [String], in folder: String) async throws {
    let run = try await FinishedProgram(URL(filePath: "/usr/bin/env"), [tool] + arguments, in: folder)
    guard run.exitCode == 0 else {
      throw Failure(description: "\(tool) exited with code \(run.exitCode): \(run.output)\(run.errors)")
    }
  }
}
