import ScreenBroadcast
import Synchronization

/// A timer that ticks when a test says so.
final class ManualTimer: RepeatingTimer {
  private let state = Mutex<(interval: Duration, tick: @Sendable () -> Void)?>(nil)

  /// The interval it runs with; `nil` while it is cancelled.
  var interval: Duration? { state.withLock { $0?.interval } }

  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    state.withLock { $0 = (interval, tick) }
  }

  func cancel() { state.withLock { $0 = nil } }

  func tick() {
    let tick = state.withLock { $0?.tick }
    tick?()
  }
}
