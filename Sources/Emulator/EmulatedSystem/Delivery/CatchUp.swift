import Platform

/// When samples wait for a handler that had no processor time, instead of being dropped.
///
/// A busy machine may give this process no time for a moment, that is, neither the emulated system nor the handler. Or it
/// starts the handler's thread late. Then the handler gets as much time to receive what is due as it had lost.
struct CatchUp {
  private var startDelay = Duration.zero
  private var end = MonotonicTime.zero

  /// The shortest delay that counts: less than the 10 ms between checks, and more than timers are late on an idle machine.
  private static let shortest = Duration.milliseconds(8)

  /// Notes a step at `now` that was due at `due`.
  ///
  /// - Parameter startDelay: the time for which the handler has waited for a thread, from the start of the broadcast on.
  mutating func note(_ now: MonotonicTime, due: MonotonicTime, startDelay: Duration) {
    let delay = max(now - due, startDelay - self.startDelay)
    self.startDelay = startDelay
    if delay >= Self.shortest { end = max(end, now + delay) }
  }

  /// Whether samples for which there is no room wait.
  func isUnderWay(at now: MonotonicTime) -> Bool { now < end }
}
