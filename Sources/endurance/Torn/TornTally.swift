/// What readers of the ring have judged.
struct TornTally: Codable, Equatable, Sendable {
  /// Frames that the ring's reader gave out, and that were judged.
  var checks = 0
  /// Those of them that were not whole.
  var torn = 0
  /// Reads that the ring's reader threw away, because the writer had come round.
  var overtaken = 0
  /// Frames that the reader without the second look gave out.
  var controlChecks = 0
  /// Those of them that were not whole.
  var controlTorn = 0
  /// What was wrong with the first one that should have been whole.
  var firstTorn: String?

  static func + (one: TornTally, other: TornTally) -> TornTally {
    TornTally(
      checks: one.checks + other.checks, torn: one.torn + other.torn,
      overtaken: one.overtaken + other.overtaken,
      controlChecks: one.controlChecks + other.controlChecks,
      controlTorn: one.controlTorn + other.controlTorn, firstTorn: one.firstTorn ?? other.firstTorn)
  }

  /// What of the promises did not hold; empty when all did.
  ///
  /// - Parameter wanted: the frames that had to be judged.
  func failures(wanted: Int) -> [String] {
    var failures: [String] = []
    if torn > 0 { failures.append("\(torn) of \(checks) frames were torn; the first: \(firstTorn ?? "untold")") }
    if controlTorn == 0 { failures.append("the control saw no torn frame: this run proves nothing") }
    if overtaken == 0 { failures.append("no read was overtaken: this run proves nothing") }
    if checks < wanted { failures.append("only \(checks) frames were judged, not \(wanted)") }
    return failures
  }
}
