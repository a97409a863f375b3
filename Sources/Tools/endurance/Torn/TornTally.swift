/// The checks of readers of the ring.
struct TornTally: Codable, Equatable, Sendable {
  /// Frames that the reader returned and that were checked.
  var checks = 0
  /// Checked frames that were torn.
  var torn = 0
  /// Reads that the reader discarded because the writer overtook it.
  var overtaken = 0
  /// Frames that the control, the reader without the second check of the counter, returned.
  var controlChecks = 0
  /// Frames of the control that were torn.
  var controlTorn = 0
  /// Leases that were valid to their end, and whose frames were checked then.
  var leases = 0
  /// Valid leases whose frames were torn.
  var leasesTorn = 0
  /// Leases that the writer reclaimed.
  var leasesVoid = 0
  /// Reclaimed leases whose frames had changed; ``FrameLease/end()`` reports them as invalid.
  var leasesVoidTorn = 0
  /// The error of the first torn frame.
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

  /// Whether the run proves something: the control read torn frames, and every check was needed.
  var isConclusive: Bool { controlTorn > 0 && overtaken > 0 && leases > 0 && leasesVoidTorn > 0 }

  /// The checks that failed.
  ///
  /// - Parameter wanted: the number of frames to check.
  func failures(wanted: Int) -> [String] {
    var failures: [String] = []
    let first = "the first: \(firstTorn ?? "unknown")"
    if torn > 0 { failures.append("\(torn) of \(checks) frames were torn; \(first)") }
    if leasesTorn > 0 {
      failures.append("\(leasesTorn) of \(leases) leased frames changed under their lease; \(first)")
    }
    if controlTorn == 0 { failures.append("the control read no torn frame: the run proves nothing") }
    if leases == 0 { failures.append("no frame was leased: the run proves nothing about leases") }
    if leasesVoidTorn == 0 {
      failures.append("no frame of a reclaimed lease changed: the run proves nothing about leases")
    }
    if overtaken == 0 { failures.append("no read was overtaken: the run proves nothing") }
    if checks < wanted { failures.append("only \(checks) frames were checked, not \(wanted)") }
    return failures
  }
}
