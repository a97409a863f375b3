/// Counts the checks of readers of the ring.
struct TornTally: Codable, Equatable, Sendable {
  struct Count: Codable, Equatable, Sendable {
    var checked = 0
    var torn = 0
    /// The fault of the first torn frame.
    var first: String?

    /// Counts a frame. `fault` is `nil` if the frame is intact.
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

  var frames = Count()
  /// The frames of the control, the reader without the second check of the counter.
  var control = Count()
  /// The reads that the reader discarded because the writer overtook it.
  var overtaken = 0

  static func + (one: TornTally, other: TornTally) -> TornTally {
    TornTally(
      frames: one.frames + other.frames, control: one.control + other.control,
      overtaken: one.overtaken + other.overtaken)
  }

  /// Whether a frame is torn that must be intact.
  var hasTorn: Bool { frames.torn > 0 }

  /// The reasons why the run proves nothing: required events that did not happen.
  var gaps: [String] {
    [
      (control.torn, "the control read no torn frame: the run proves nothing"),
      (overtaken, "no read was overtaken: the run proves nothing"),
    ].filter { $0.0 == 0 }.map(\.1)
  }

  /// Returns the checks that failed.
  ///
  /// - Parameter wanted: the number of frames to check.
  func failures(wanted: Int) -> [String] {
    let torn =
      hasTorn
      ? ["\(frames.torn) of \(frames.checked) frames were torn; the first: \(frames.first ?? "unknown")"] : []
    let few = frames.checked < wanted ? ["only \(frames.checked) frames were checked, not \(wanted)"] : []
    return torn + gaps + few
  }
}
