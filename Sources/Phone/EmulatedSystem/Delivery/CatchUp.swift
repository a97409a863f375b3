import Platform

/// When samples wait for a handler that had no processor time, instead of being dropped.
///
/// A busy machine may give this process no time for a moment, that is, neither the emulated system nor the handler. Or it
/// runs the handler's thread late. Then the handler gets as much time to receive what is due as it had lost.
struct CatchUp {
  /// The delay of the handler that has been given back.
  private var machineDelay = Duration.zero
  private var end = MonotonicTime.zero

  /// The shortest delay that counts: less than the 10 ms between checks, and more than timers are late on an idle machine.
  private static let shortest = Duration.milliseconds(8)

  /// Notes a step at `now` that was due at `due`.
  ///
  /// - Parameter machineDelay: the time for which the machine has delayed the handler, from the start of the broadcast on.
  mutating func note(_ now: MonotonicTime, due: MonotonicTime, machineDelay: Duration) {
    let delay = max(now - due, machineDelay - self.machineDelay)
    guard delay >= Self.shortest else { return }
    self.machineDelay = machineDelay
    end = max(end, now + delay)
  }

  /// Whether samples for which there is no room wait.
  func isUnderWay(at now: MonotonicTime) -> Bool { now < end }
}
