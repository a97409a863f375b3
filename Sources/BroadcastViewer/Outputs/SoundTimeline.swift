/// Where on the line of time the next sound belongs, when everything that came is written one after the other.
struct SoundTimeline {
  private var session: UInt64?
  private var sampleRate = 0.0
  /// When the first of `written` frames was taken.
  private var start: UInt64 = 0
  private var written: UInt64 = 0
  private var nextIndex: UInt64 = 0

  /// The least hole in the times that is filled, in seconds: below are rounding and clocks that differ.
  private static let tolerance = 0.02
  /// The longest hole that is filled, in seconds. Longer ones are cut to this: times come from outside.
  static let longestHole = 600.0

  /// How many frames of silence come before a sound of `frames` frames, so that it is heard when it was taken. The
  /// first of a session follows what was before at once.
  mutating func silence(
    before frames: Int, time: UInt64, index: UInt64, sampleRate: Double, session: UInt64
  ) -> Int {
    defer { nextIndex = index &+ UInt64(frames) }
    guard session == self.session, sampleRate == self.sampleRate else {
      self.session = session
      self.sampleRate = sampleRate
      (start, written) = (time, UInt64(frames))
      return 0
    }
    let due = Double(Int64(bitPattern: time &- start)) / 1e9 - Double(written) / sampleRate
    var hole = 0
    if due > Self.longestHole {
      hole = Int(Self.longestHole * sampleRate)
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
