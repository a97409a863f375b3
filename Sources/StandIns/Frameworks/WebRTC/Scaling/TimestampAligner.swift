/// Translates capture times to the clock of the call, by the rule of libwebrtc's `rtc_base/timestamp_aligner.cc`. All times are in
/// microseconds.
///
/// The offset of the two clocks is the mean of the delays between capture and arrival, over about a hundred frames, so that a
/// frame's time is close to its arrival with the regularity of its capture. A delay of 300 ms from the mean starts a new one.
/// No time is later than the arrival or within a millisecond of the one before.
struct TimestampAligner {
  private var frames: Int64 = 0
  private var offset: Int64 = 0
  /// What translated times were too late by.
  private var bias: Int64 = 0
  private var last: Int64?

  private static let resetThreshold: Int64 = 300_000
  private static let window: Int64 = 100
  private static let shortestInterval: Int64 = 1_000

  /// Returns the translated time of a frame that was captured at `captured` and arrives at `now`.
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
