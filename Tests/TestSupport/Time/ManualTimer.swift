import ScreenBroadcast

/// A timer that fires when a test calls ``tick()``.
package final class ManualTimer: RepeatingTimer {
  private let state = Mutex(State())

  private struct State {
    var tick: (@Sendable () -> Void)?
    var interval: Duration?
    var schedule: TickSchedule?
  }

  package init() {}

  package var interval: Duration? { state.withLock { $0.interval } }
  package var isRunning: Bool { interval != nil }

  package var schedule: TickSchedule? {
    get { state.withLock { $0.schedule } }
    set { state.withLock { $0.schedule = newValue } }
  }

  package func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.tick = tick
      state.interval = interval
    }
  }

  package func cancel() {
    state.withLock { state in
      state.tick = nil
      state.interval = nil
    }
  }

  package func tick() { state.withLock { $0.tick }?() }
}
