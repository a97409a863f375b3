/// Selects the frames of a lower rate by their timestamps, as libwebrtc's `common_video/framerate_controller.cc` does.
///
/// Deadlines are one interval of the requested rate apart. The first deadline is half an interval after the first
/// frame. The first frame at or after each deadline is kept: 60 to 30 fps keeps the frames 0, 1, 3, 5 and so on. Late
/// frames do not move the deadlines. If a frame is two intervals or more from the next deadline (after a pause, or when
/// the clock runs backwards), the deadlines restart.
///
/// Times are compared in nanoseconds. libwebrtc truncates them to microseconds; the difference affects only frames
/// exactly at a deadline.
struct FrameRateLimiter {
  private let interval: Int64
  private var deadline: Int64?

  /// - Parameter framesPerSecond: zero stands for 10,000, as in libwebrtc. Returns `nil` for less than zero: there is
  ///   no limit.
  init?(framesPerSecond: Int32) {
    guard framesPerSecond >= 0 else { return nil }
    interval = 1_000_000_000 / (framesPerSecond == 0 ? 10_000 : Int64(framesPerSecond))
    guard interval > 0 else { return nil }
  }

  /// Returns whether to keep the frame with a time in nanoseconds.
  mutating func keeps(_ timeStampNs: Int64) -> Bool {
    // Sums wrap, because the caller may pass any timestamp.
    if let deadline {
      let remaining = deadline &- timeStampNs
      if remaining.magnitude < UInt64(2 * interval) {
        guard remaining <= 0 else { return false }
        self.deadline = deadline &+ interval
        return true
      }
    }
    deadline = timeStampNs &+ interval / 2
    return true
  }
}
