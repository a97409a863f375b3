import Foundation
import Platform
import Synchronization

/// A thread of the emulated phone in the process of an extension. It checks a hundred times a second what neither a busy
/// main thread nor a handler that waits may delay.
package final class PhoneWatch: Sendable {
  static let threadName = "phone watch"
  private let checks = Mutex<[@Sendable () -> Void]>([])

  package init(clock: any MonotonicClock) {
    let thread = Thread { [self] in
      while true {
        for check in checks.withLock(\.self) { check() }
        clock.wait(until: clock.now + .milliseconds(10))
      }
    }
    thread.name = Self.threadName
    thread.start()
  }

  /// Calls `check` on the thread from now on.
  func add(_ check: @escaping @Sendable () -> Void) { checks.withLock { $0.append(check) } }
}
