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
  /// Leases that were intact to their end, and whose frames were judged then.
  var leases = 0
  /// Those of them whose frames were not whole.
  var leasesTorn = 0
  /// Leases that the writer took back.
  var leasesVoid = 0
  /// Those of them whose frames were not whole any more: what ``FrameLease/end()`` kept from being used.
  var leasesVoidTorn = 0
  /// What was wrong with the first one that should have been whole.
  var firstTorn: String?

  static func + (one: TornTally, other: TornTally) -> TornTally {
    TornTally(
      checks: one.checks + other.checks, torn: one.torn + other.torn,
      overtaken: one.overtaken + other.overtaken,
      controlChecks: one.controlChecks + other.controlChecks,
      controlTorn: one.controlTorn + other.controlTorn, leases: one.leases + other.leases,
      leasesTorn: one.leasesTorn + other.leasesTorn, leasesVoid: one.leasesVoid + other.leasesVoid,
      leasesVoidTorn: one.leasesVoidTorn + other.leasesVoidTorn, firstTorn: one.firstTorn ?? other.firstTorn)
  }

  /// Whether it would show a torn frame if there were any: the load does tear, and every check was needed.
  var isTelling: Bool { controlTorn > 0 && overtaken > 0 && leases > 0 && leasesVoidTorn > 0 }

  /// What of the promises did not hold; empty when all did.
  ///
  /// - Parameter wanted: the frames that had to be judged.
  func failures(wanted: Int) -> [String] {
    var failures: [String] = []
    let first = "the first: \(firstTorn ?? "untold")"
    if torn > 0 { failures.append("\(torn) of \(checks) frames were torn; \(first)") }
    if leasesTorn > 0 {
      failures.append("\(leasesTorn) of \(leases) leased frames changed under their lease; \(first)")
    }
    if controlTorn == 0 { failures.append("the control saw no torn frame: this run proves nothing") }
    if leases == 0 { failures.append("no frame was leased: this run proves nothing of leases") }
    if leasesVoidTorn == 0 {
      failures.append("no frame changed whose lease was taken back: this run proves nothing of leases")
    }
    if overtaken == 0 { failures.append("no read was overtaken: this run proves nothing") }
    if checks < wanted { failures.append("only \(checks) frames were judged, not \(wanted)") }
    return failures
  }
}
