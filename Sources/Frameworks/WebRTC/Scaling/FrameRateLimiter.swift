/// Chooses the frames of a lower rate by their time stamps.
///
/// Frames have deadlines, one interval of the requested rate apart, and each deadline gets the frame nearest to
/// it: a frame is kept when it is no further ahead of the next deadline than about half the time between two
/// frames of the source. So 60 to 30 keeps every second frame, 60 to 24 two of five, and a source of exactly
/// the requested rate loses nothing as long as its frames come less than half an interval early.
///
/// Deadlines stay on their grid when frames come late, so that the average rate is met; a frame that is a
/// whole interval late, as after a still picture, starts a new grid. So does a clock that went back.
struct FrameRateLimiter {
  private let interval: Int64
  private var grid: Grid?

  private struct Grid {
    var deadline: Int64
    var latest: Int64
    /// The usual time between two frames of the source, at most one interval; `nil` before the second frame.
    var spacing: Int64?
  }

  /// `nil` when the rate asks for nothing: zero or less.
  init?(framesPerSecond: Int32) {
    guard framesPerSecond > 0 else { return nil }
    interval = 1_000_000_000 / Int64(framesPerSecond)
  }

  /// Whether to keep the frame of this time, in nanoseconds.
  mutating func keeps(_ timeStampNs: Int64) -> Bool {
    // Sums wrap, because the time stamps are the caller's; a nonsensical one costs a frame and no more.
    guard var grid else {
      self.grid = Grid(deadline: timeStampNs &+ interval, latest: timeStampNs)
      return true
    }
    defer { self.grid = grid }
    let gap = min(max(timeStampNs &- grid.latest, 0), interval)
    // Averaged over about eight frames, which takes the jitter out.
    let spacing = grid.spacing.map { $0 + (gap - $0) / 8 } ?? gap
    grid.spacing = spacing
    grid.latest = timeStampNs

    let late = timeStampNs &- grid.deadline
    if late >= interval || late < -2 * interval {
      grid.deadline = timeStampNs &+ interval
      return true
    }
    // A little more than half, so that of two frames equally near the first is kept.
    guard late >= -spacing * 9 / 16 else { return false }
    grid.deadline &+= interval
    return true
  }
}
