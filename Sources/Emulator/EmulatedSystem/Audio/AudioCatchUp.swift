import Platform

/// When audio waits for a handler that had no processor time, instead of being dropped.
///
/// A busy machine may give this process no time for a moment, that is, neither the emulated system nor the handler. Then
/// much audio is due at once, and the handler gets as much time to receive it as it had lost.
struct AudioCatchUp {
  private var lastCheck: MonotonicTime?
  private var end = MonotonicTime.zero

  /// The time from one check for audio to the next.
  static let checkInterval = Duration.milliseconds(10)

  /// Notes a check for audio at `now`. One that is an interval late or more begins the time to catch up.
  mutating func check(at now: MonotonicTime) {
    let time = now - (lastCheck ?? now)
    lastCheck = now
    if time >= Self.checkInterval * 2 { end = max(end, now + time) }
  }

  /// Whether audio for which there is no room waits.
  func isUnderWay(at now: MonotonicTime) -> Bool { now < end }
}
