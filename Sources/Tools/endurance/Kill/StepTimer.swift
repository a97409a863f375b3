import ScreenBroadcast
import Synchronization

/// A timer that ticks when it is told to: what is polled twice a second is polled by step instead.
final class StepTimer: RepeatingTimer {
  private let tick = Mutex<(@Sendable () -> Void)?>(nil)

  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    self.tick.withLock { $0 = tick }
  }

  func cancel() { tick.withLock { $0 = nil } }

  /// Ticks once, if it runs.
  func step() { tick.withLock { $0 }?() }
}
