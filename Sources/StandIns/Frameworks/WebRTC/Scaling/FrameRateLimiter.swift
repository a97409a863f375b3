/// Selects the frames of a lower rate by their time stamps, by the rule of libwebrtc's
/// `common_video/framerate_controller.cc`.
///
/// Deadlines are one interval of the requested rate apart, and the first is half an interval after the first frame. The
/// first frame at or after each deadline is kept: 60 to 30 fps keeps the frames 0, 1, 3, 5 and so on. Late frames do not
/// move the deadlines. A frame two intervals or more from the next deadline, as after a pause or when the clock runs
/// backwards, starts new ones.
///
/// Times are compared in nanoseconds. libwebrtc truncates them to microseconds, which decides about frames exactly at a
/// deadline only.
struct FrameRateLimiter {
  private let interval: Int64
  private var deadline: Int64?

  /// - Parameter framesPerSecond: zero stands for 10,000, as in libwebrtc; `nil` is returned for less than zero, which
  ///   limits nothing.
  init?(framesPerSecond: Int32) {
    guard framesPerSecond >= 0 else { return nil }
    interval = 1_000_000_000 / (framesPerSecond == 0 ? 10_000 : Int64(framesPerSecond))
    guard interval > 0 else { return nil }
  }

  /// Returns whether to keep the frame of a time in nanoseconds.
  mutating func keeps(_ timeStampNs: Int64) -> Bool {
    // Sums wrap, as the caller may pass any time stamp.
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
