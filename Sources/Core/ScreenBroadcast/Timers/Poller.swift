import Platform
import Synchronization

/// Polls when a timer ticks, for a single subscriber. It holds the subscriber weakly.
final class Poller<Subscriber>: Sendable {
  private let timer: any RepeatingTimer
  private let interval: Duration
  private let current = Mutex<Callback<@Sendable () -> Subscriber?>?>(nil)

  init(timer: any RepeatingTimer, interval: Duration) {
    self.timer = timer
    self.interval = interval
  }

  deinit { timer.cancel() }

  /// The subscriber; `nil` if there is none or if it was released.
  var subscriber: Subscriber? { current.withLock { $0 }?.call() }

  /// Calls `poll` at every tick, on the timer's queue. `subscriber` should capture the subscriber weakly.
  func start(for subscriber: @escaping @Sendable () -> Subscriber?, _ poll: @escaping @Sendable () -> Void) {
    current.withLock { $0 = Callback(subscriber) }
    timer.start(every: interval, poll)
  }

  func stop() {
    timer.cancel()
    current.withLock { $0 = nil }
  }
}
