/// Where on the line of time the next sound belongs, when everything that came is written one after the other.
struct SoundTimeline {
  private var session: UInt64?
  private var sampleRate = 0.0
  /// When the first of `written` frames was taken.
  private var start: UInt64 = 0
  private var written: UInt64 = 0
  private var nextIndex: UInt64 = 0
  /// When the first sound of the session came, and the frames written since.
  private var arrived: UInt64 = 0
  private var total: UInt64 = 0

  /// The least hole in the times that is filled, in seconds: below are rounding and clocks that differ.
  private static let tolerance = 0.02
  /// The longest hole that is filled, in seconds. Longer ones are cut to this: times come from outside.
  static let longestHole = 600.0
  /// How much longer than the time that really passed the sound may be, in seconds: as much as lies in a ring that
  /// nobody has read yet.
  static let slack = 4.0

  /// How many frames of silence come before a sound of `frames` frames, so that it is heard when it was taken. The
  /// first of a session follows what was before at once. No more is written than time has really passed since then.
  ///
  /// - Parameter arrival: when it came here, in monotonic nanoseconds.
  mutating func silence(
    before frames: Int, time: UInt64, index: UInt64, sampleRate: Double, session: UInt64,
    arrival: UInt64
  ) -> Int {
    defer { nextIndex = index &+ UInt64(frames) }
    guard session == self.session, sampleRate == self.sampleRate else {
      self.session = session
      self.sampleRate = sampleRate
      (start, written) = (time, UInt64(frames))
      (arrived, total) = (arrival, written)
      return 0
    }
    let due = Double(Int64(bitPattern: time &- start)) / 1e9 - Double(written) / sampleRate
    let passed = Double(arrival - min(arrived, arrival)) / 1e9 + Self.slack
    let most = max(0, min(Self.longestHole, passed - Double(total) / sampleRate))
    var hole = 0
    defer { total += UInt64(hole + frames) }
    if due > most || due < -Self.tolerance {
      // A time that cannot be, or one before what is written: from here on it is counted anew.
      hole = due > Self.tolerance ? Int(most * sampleRate) : 0
      (start, written) = (time, UInt64(frames))
      return hole
    }
    if due > Self.tolerance {
      hole = Int((due * sampleRate).rounded())
    } else if index > nextIndex, Double(index - nextIndex) <= Self.tolerance * sampleRate {
      hole = Int(index - nextIndex)
    }
    written += UInt64(hole + frames)
    return hole
  }
}
