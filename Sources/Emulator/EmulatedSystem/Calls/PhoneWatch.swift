import Foundation
import Platform
import Synchronization

/// A thread of the emulated phone in the process of an extension. It checks a hundred times a second what neither a busy
/// main thread nor a handler that waits may delay.
package final class PhoneWatch: Sendable {
  /// What the system calls the thread.
  static let threadName = "phone watch"
  private let checks = Mutex<[@Sendable () -> Void]>([])
  /// The longest time without a check, and its end.
  private let gap = Mutex((length: Duration.zero, end: MonotonicTime.zero))

  package init(clock: any MonotonicClock) {
    let thread = Thread { [self] in
      var last = clock.now
      while true {
        let now = clock.now
        gap.withLock { if now - last > $0.length { $0 = (now - last, now) } }
        last = now
        for check in checks.withLock(\.self) { check() }
        clock.wait(until: clock.now + .milliseconds(10))
      }
    }
    thread.name = Self.threadName
    thread.start()
  }

  /// The longest time without a check since the last call, in which the process was stopped if it was continued then.
  package func takeGap() -> (length: Duration, end: MonotonicTime) {
    gap.withLock { gap in
      defer { gap.length = .zero }
      return gap
    }
  }

  /// Calls `check` on the thread from now on.
  func add(_ check: @escaping @Sendable () -> Void) { checks.withLock { $0.append(check) } }
}
