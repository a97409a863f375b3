/// A clock that a test advances.
///
/// ```swift
/// let clock = TestClock()
/// let pacer = Pacer(clock: clock)
/// clock.advance(by: .milliseconds(33))
/// ```
/// A waiting thread blocks until another thread advances the clock to its deadline.
package final class TestClock: MonotonicClock, @unchecked Sendable {
  // Why unchecked: the condition guards `time`.
  private let condition = NSCondition()
  private var time: MonotonicTime

  package init(at start: MonotonicTime = MonotonicTime(nanoseconds: 1_000_000_000)) { time = start }

  /// The instant that the clock was advanced to.
  package var now: MonotonicTime { condition.withLock { time } }

  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Advances the clock, and wakes the waits whose deadline it reaches.
  package func advance(by duration: Duration) {
    condition.withLock {
      time = time.advanced(by: duration)
      condition.broadcast()
    }
  }

  package func wait(until deadline: MonotonicTime) {
    condition.withLock { while time < deadline { condition.wait() } }
  }

  package func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
    while now < deadline { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// In tests an integer literal is an instant in nanoseconds.
extension MonotonicTime: ExpressibleByIntegerLiteral {
  /// Creates the instant `nanoseconds` after the clock's start.
  public init(integerLiteral nanoseconds: UInt64) { self.init(nanoseconds: nanoseconds) }
}
