import ScreenBroadcast
import Synchronization

/// A timer that ticks when a test says so.
final class ManualTimer: RepeatingTimer {
  private let state = Mutex(State())

  private struct State {
    var tick: (@Sendable () -> Void)?
    var interval: Duration?
    var schedule: TickSchedule?
  }

  /// The interval asked for; `nil` when it does not run.
  var interval: Duration? { state.withLock { $0.interval } }
  /// Whether it runs.
  var isRunning: Bool { interval != nil }

  var schedule: TickSchedule? {
    get { state.withLock { $0.schedule } }
    set { state.withLock { $0.schedule = newValue } }
  }

  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.tick = tick
      state.interval = interval
    }
  }

  func cancel() {
    state.withLock { state in
      state.tick = nil
      state.interval = nil
    }
  }

  /// Ticks, if it runs.
  func fire() { state.withLock { $0.tick }?() }
}
