import Foundation
import Platform
import Synchronization

/// A thread of the emulated phone in the process of an extension. It runs its checks every 10 ms, independently of a
/// blocked main thread or handler.
package final class WatchdogThread: Sendable {
  static let threadName = "phone watch"
  private let checks = Mutex<[@Sendable () -> Void]>([])
  private let clock: any MonotonicClock
  /// The longest time without a check, the end of that time, and the time of the last check.
  private let gap: Mutex<(length: Duration, end: MonotonicTime, last: MonotonicTime)>

  package init(clock: any MonotonicClock) {
    self.clock = clock
    let now = clock.now
    gap = Mutex((.zero, now, now))
    let thread = Thread { [self] in
      while true {
        noteCheck()
        for check in checks.withLock(\.self) { check() }
        clock.wait(until: clock.now + .milliseconds(10))
      }
    }
    thread.name = Self.threadName
    thread.start()
  }

  private func noteCheck() {
    let now = clock.now
    gap.withLock { gap in
      if now - gap.last > gap.length { (gap.length, gap.end) = (now - gap.last, now) }
      gap.last = now
    }
  }

  /// Returns the longest time between two checks since the previous call, and its end. If SIGCONT came at that end, the
  /// process was stopped during that time.
  package func takeGap() -> (length: Duration, end: MonotonicTime) {
    // After SIGCONT this may run before the thread does.
    noteCheck()
    return gap.withLock { gap in
      defer { gap.length = .zero }
      return (gap.length, gap.end)
    }
  }

  /// Adds a check that the thread calls from now on.
  func add(_ check: @escaping @Sendable () -> Void) { checks.withLock { $0.append(check) } }
}
