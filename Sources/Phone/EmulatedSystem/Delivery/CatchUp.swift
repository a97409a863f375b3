import Platform

/// Decides when samples are queued, not dropped, because the handler got no CPU time.
///
/// An overloaded host may stall the whole process, or schedule only the handler's thread late. The handler then gets as
/// much time to catch up as it lost.
struct CatchUp {
  /// The delay of the handler that was compensated so far.
  private var machineDelay = Duration.zero
  private var end = MonotonicTime.zero

  /// The shortest delay that counts: below the 10 ms between checks, and above the lateness of timers on an idle host.
  private static let shortest = Duration.milliseconds(8)

  /// Records a step that ran at `now` and was due at `due`.
  ///
  /// - Parameter machineDelay: how long host load has delayed the handler since the start of the broadcast.
  mutating func note(_ now: MonotonicTime, due: MonotonicTime, machineDelay: Duration) {
    let delay = max(now - due, machineDelay - self.machineDelay)
    guard delay >= Self.shortest else { return }
    self.machineDelay = machineDelay
    end = max(end, now + delay)
  }

  /// Whether samples without room wait instead of being dropped.
  func isActive(at now: MonotonicTime) -> Bool { now < end }
}
