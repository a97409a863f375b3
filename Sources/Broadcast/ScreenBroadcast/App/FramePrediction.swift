import Platform

/// When the next frame is due, guessed from when the last ones were published.
struct FramePrediction {
  private var last: MonotonicTime?
  /// The time between two frames, in nanoseconds, as it has been lately.
  private var period: Double?
  /// Frames in a row that came about when they were due.
  private var regular = 0

  /// Frames further apart than this, in nanoseconds, follow no rhythm.
  private static let longestPeriod: UInt64 = 200_000_000
  /// Frames that must come in time before the guess is worth something.
  private static let needed = 4

  /// Notes that a frame was published at `time`.
  mutating func frameCame(at time: MonotonicTime) {
    defer { last = time }
    guard let last, time > last, time.nanoseconds(since: last) <= Self.longestPeriod else {
      period = nil
      regular = 0
      return
    }
    let gap = Double(time.nanoseconds(since: last))
    guard let period, abs(gap - period) < period / 4 else {
      period = gap
      regular = 0
      return
    }
    self.period = period + (gap - period) / 8
    regular += 1
  }

  /// When the next frame is due; `nil` while they come irregularly.
  var next: MonotonicTime? {
    guard let last, let period, regular >= Self.needed else { return nil }
    return last + .nanoseconds(Int64(period))
  }
}
