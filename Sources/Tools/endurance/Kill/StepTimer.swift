import ScreenBroadcast
import Synchronization

/// A timer that ticks on demand, for a poll at full speed.
final class StepTimer: RepeatingTimer {
  private let tick = Mutex<(@Sendable () -> Void)?>(nil)

  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    self.tick.withLock { $0 = tick }
  }

  func cancel() { tick.withLock { $0 = nil } }

  /// Ticks once, if it is started.
  func step() { tick.withLock { $0 }?() }
}
