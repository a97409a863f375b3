/// Translates capture times to the clock of the call, as libwebrtc's `rtc_base/timestamp_aligner.cc` does. All times
/// are in microseconds.
///
/// The offset between the clocks is the mean delay from capture to arrival over about a hundred frames. So a frame's
/// time is close to its arrival, and as regular as its capture. If a delay differs from the mean by more than 300 ms,
/// the mean restarts. No time is later than the arrival, or within a millisecond of the previous time.
struct TimestampAligner {
  private var frames: Int64 = 0
  private var offset: Int64 = 0
  /// How much translated times were too late.
  private var bias: Int64 = 0
  private var last: Int64?

  private static let resetThreshold: Int64 = 300_000
  private static let window: Int64 = 100
  private static let shortestInterval: Int64 = 1_000

  /// Returns the translated time of a frame that was captured at `captured` and arrived at `now`.
  mutating func translate(_ captured: Int64, now: Int64) -> Int64 {
    let error = now - captured - offset
    if abs(error) > Self.resetThreshold { (frames, bias) = (0, 0) }
    frames = min(frames + 1, Self.window)
    offset += error / frames
    var time = captured + offset - bias
    if time > now {
      bias += time - now
      time = now
    } else if let last, time < last + Self.shortestInterval {
      time = min(last + Self.shortestInterval, now)
    }
    last = time
    return time
  }
}
