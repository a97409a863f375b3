import ScreenBroadcast
import Synchronization

/// A timer that ticks when a test says so.
package final class ManualTimer: RepeatingTimer {
  private let state = Mutex(State())

  private struct State {
    var tick: (@Sendable () -> Void)?
    var interval: Duration?
    var schedule: TickSchedule?
  }

  /// A timer that does not run yet.
  package init() {}

  /// The interval asked for; `nil` when it does not run.
  package var interval: Duration? { state.withLock { $0.interval } }
  /// Whether it runs.
  package var isRunning: Bool { interval != nil }

  /// What it says of its ticks: what a test set.
  package var schedule: TickSchedule? {
    get { state.withLock { $0.schedule } }
    set { state.withLock { $0.schedule = newValue } }
  }

  /// Runs from now on.
  package func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.tick = tick
      state.interval = interval
    }
  }

  /// Runs no longer.
  package func cancel() {
    state.withLock { state in
      state.tick = nil
      state.interval = nil
    }
  }

  /// Ticks, if it runs.
  package func tick() { state.withLock { $0.tick }?() }
}
