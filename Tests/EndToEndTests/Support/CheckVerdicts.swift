import BroadcastTesting
import TestSupport
import Testing

extension LaunchedProgram {
  /// Expects that no scenario of a check with `--json` failed. A failure in the third run that depends on times may be that
  /// of a machine which was late in all three.
  func expectNoFailure(_ pace: PaceMeter) throws {
    for verdict in try events("verdict") where verdict.text("verdict") == "failed" {
      let what = "\(verdict.text("scenario") ?? ""): \(verdict.text("what") ?? "")"
      if verdict.integer("runs") == 3, verdict.boolean("certain") == false {
        try pace.expect { Issue.record(Comment(rawValue: what)) }
      } else {
        Issue.record(Comment(rawValue: what))
      }
    }
  }
}

extension PaceMeter {
  /// A meter with the allowance of the check's own.
  static var ofCheck: PaceMeter { PaceMeter(allowing: .milliseconds(50)) }
}
