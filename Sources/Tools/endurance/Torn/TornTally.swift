/// The checks of readers of the ring.
struct TornTally: Codable, Equatable, Sendable {
  struct Count: Codable, Equatable, Sendable {
    var checked = 0
    var torn = 0
    /// What was wrong with the first torn frame.
    var first: String?

    /// Counts a frame, whose `fault` is `nil` if it is whole.
    mutating func add(_ fault: String?) {
      checked += 1
      torn += fault == nil ? 0 : 1
      first = first ?? fault
    }

    static func + (one: Count, other: Count) -> Count {
      Count(
        checked: one.checked + other.checked, torn: one.torn + other.torn, first: one.first ?? other.first)
    }
  }

  /// Frames that the reader returned.
  var frames = Count()
  /// Frames of the control, the reader without the second check of the counter.
  var control = Count()
  /// Frames whose leases were valid to their end.
  var leases = Count()
  /// Frames whose leases the writer reclaimed, which ``FrameLease/end()`` reports.
  var reclaimed = Count()
  /// Reads that the reader discarded because the writer overtook it.
  var overtaken = 0

  static func + (one: TornTally, other: TornTally) -> TornTally {
    TornTally(
      frames: one.frames + other.frames, control: one.control + other.control,
      leases: one.leases + other.leases, reclaimed: one.reclaimed + other.reclaimed,
      overtaken: one.overtaken + other.overtaken)
  }

  /// Whether a frame is torn that must be whole.
  var hasTorn: Bool { frames.torn + leases.torn > 0 }

  /// The reasons why the run proves nothing: what must happen in it and did not.
  var gaps: [String] {
    [
      (control.torn, "the control read no torn frame: the run proves nothing"),
      (leases.checked, "no frame was leased: the run proves nothing about leases"),
      (reclaimed.torn, "no frame of a reclaimed lease changed: the run proves nothing about leases"),
      (overtaken, "no read was overtaken: the run proves nothing"),
    ].filter { $0.0 == 0 }.map(\.1)
  }

  /// The checks that failed.
  ///
  /// - Parameter wanted: the number of frames to check.
  func failures(wanted: Int) -> [String] {
    let torn = [("frames were torn", frames), ("leased frames changed under their lease", leases)]
      .filter { $1.torn > 0 }
      .map { "\($1.torn) of \($1.checked) \($0); the first: \($1.first ?? "unknown")" }
    let few = frames.checked < wanted ? ["only \(frames.checked) frames were checked, not \(wanted)"] : []
    return torn + gaps + few
  }
}
