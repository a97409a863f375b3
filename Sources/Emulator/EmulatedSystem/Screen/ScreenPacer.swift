import Platform

/// Decides which frames are taken at a tick of the screen: one, unless the screen is frozen, skips, or coalesces.
struct ScreenPacer {
  /// Frames that were due and not taken.
  private(set) var skipped: UInt64 = 0
  private var frozenUntil = MonotonicTime.zero
  private var skipsLeft = 0
  private var burstSize = 0
  private var held: [MonotonicTime] = []

  /// Takes no frames until `time`; none is due.
  mutating func freeze(until time: MonotonicTime) { frozenUntil = time }

  /// Skips the next `count` frames.
  mutating func skip(_ count: Int) { skipsLeft = count }

  /// Takes the next `count` frames together, when the last of them is due.
  mutating func coalesce(_ count: Int) { burstSize = count }

  /// Skips the held frames of an unfinished burst, because the broadcast pauses.
  mutating func dropHeld() {
    skipped += UInt64(held.count)
    (held, burstSize) = ([], 0)
  }

  /// Returns the due times of the frames to take now, in order.
  mutating func take(at time: MonotonicTime) -> [MonotonicTime] {
    guard time >= frozenUntil else { return [] }
    guard skipsLeft == 0 else {
      skipsLeft -= 1
      skipped += 1
      return []
    }
    held.append(time)
    guard held.count >= burstSize else { return [] }
    defer { (held, burstSize) = ([], 0) }
    return held
  }
}
