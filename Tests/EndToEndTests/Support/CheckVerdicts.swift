import BroadcastTesting
import TestSupport

extension LaunchedProgram {
  /// Expects that no scenario of a check with `--json` failed. What a machine that stayed late kept from being judged ends the
  /// test.
  func expectNoFailure(_ pace: PaceMeter) throws {
    try expectJudged(pace)
    for verdict in try events("verdict") where verdict.text("verdict") == "failed" {
      Issue.record("\(verdict.text("scenario") ?? ""): \(verdict.text("what") ?? "")")
    }
  }

  /// Skips the rest of the test if a machine that stayed late kept a scenario of a check from being judged.
  func expectJudged(_ pace: PaceMeter) throws {
    for verdict in try events("verdict") where verdict.text("why")?.hasPrefix("the machine was late") == true
    {
      // Threads that only wake up are on time there.
      if ["wanted to run at a time", "an encoder was not ready"].contains(where: verdict.said.contains) {
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
  /// What a verdict says of a failure, or why there is none.
  var said: String { text("what") ?? text("why") ?? "" }
}

extension PaceMeter {
  static var ofCheck: PaceMeter { PaceMeter(allowing: .milliseconds(50)) }
}
