import BroadcastTesting
import TestSupport

extension LaunchedProgram {
  /// Expects that no scenario of a check with `--json` failed. Skips the rest of the test if an overloaded host kept a
  /// scenario from being judged.
  func expectNoFailure(_ pace: PaceMeter) throws {
    try expectJudged(pace)
    for verdict in try events("verdict") where verdict.text("verdict") == "failed" {
      Issue.record("\(verdict.text("scenario") ?? ""): \(verdict.text("what") ?? "")")
    }
  }

  /// Skips the rest of the test if an overloaded host kept a scenario of a check from being judged.
  func expectJudged(_ pace: PaceMeter) throws {
    for verdict in try events("verdict")
    where verdict.text("why")?.hasPrefix("the host was overloaded") == true {
      // Threads that only wake up are on time there.
      if ["were runnable at a time", "an encoder was not ready"].contains(where: verdict.said.contains) {
        try PaceMeter.skip(verdict.said)
      }
      try pace.expect { Issue.record(Comment(rawValue: verdict.said)) }
    }
  }
}

extension LaunchedProgram {
  /// The verdicts of a check with `--json`, by the names of their scenarios.
  var sortedVerdicts: [ProgramEvent] {
    get throws { try events("verdict").sorted { ($0.text("scenario") ?? "") < ($1.text("scenario") ?? "") } }
  }
}

extension ProgramEvent {
  /// The verdict's text about a failure, or the reason why it is not judged.
  var said: String { text("what") ?? text("why") ?? "" }
}

extension PaceMeter {
  static var ofCheck: PaceMeter { PaceMeter(allowing: .milliseconds(50)) }
}
