/// Selects the frames of a lower rate by their time stamps.
///
/// Deadlines are one interval of the requested rate apart, and each gets the nearest frame: a frame is kept when it is at
/// most about half the source's frame spacing before the next deadline. 60 to 30 fps keeps every second frame, 60 to 24
/// two of five. A source of the requested rate loses no frame that is less than half an interval early.
///
/// Late frames do not move the deadlines, so that the average rate is met. A frame that is a whole interval late, as after
/// a pause, starts a new grid; so does a clock that runs backwards.
struct FrameRateLimiter {
  private let interval: Int64
  private var grid: Grid?

  private struct Grid {
    var deadline: Int64
    var latest: Int64
    /// The usual frame spacing of the source in nanoseconds, at most one interval; `nil` before the second frame.
    var spacing: Int64?
  }

  /// Returns `nil` for a rate of zero or less, which limits nothing.
  init?(framesPerSecond: Int32) {
    guard framesPerSecond > 0 else { return nil }
    interval = 1_000_000_000 / Int64(framesPerSecond)
  }

  /// Returns whether to keep the frame of a time in nanoseconds.
  mutating func keeps(_ timeStampNs: Int64) -> Bool {
    // Sums wrap, as the caller may pass any time stamp: an impossible one costs one frame.
    guard var grid else {
      self.grid = Grid(deadline: timeStampNs &+ interval, latest: timeStampNs)
      return true
    }
    defer { self.grid = grid }
    let gap = min(max(timeStampNs &- grid.latest, 0), interval)
    // An average of about eight frames removes the jitter.
    let spacing = grid.spacing.map { $0 + (gap - $0) / 8 } ?? gap
    grid.spacing = spacing
    grid.latest = timeStampNs

    let late = timeStampNs &- grid.deadline
    if late >= interval || late < -2 * interval {
      grid.deadline = timeStampNs &+ interval
      return true
    }
    // A little more than half, so that of two equally near frames the first is kept.
    guard late >= -spacing * 9 / 16 else { return false }
    grid.deadline &+= interval
    return true
  }
}
