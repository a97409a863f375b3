import Foundation
import Platform
import Synchronization
import Testing

/// A thread that works 60 times a second beside the programs of a test, and measures how late the machine runs it.
///
/// ```swift
/// let pace = PaceMeter(allowing: .milliseconds(8))
/// // Run the programs, and expect what does not depend on time.
/// try pace.expect { #expect((59.4...60.6).contains(rate)) }
/// ```
/// A test of times needs a machine that runs its programs on time. Where the thread was later than allowed, so may the
/// programs have been: a test whose expectations about times fail is then skipped, with the figures as the reason. The
/// bounds stay the same, and expectations that do not depend on time come before ``expect(_:_:)``.
package final class PaceMeter: Sendable {
  private let measurement = Measurement()
  private let allowance: Duration

  /// Starts the thread. `allowance` is the delay of one turn that the test's bounds have room for.
  package init(allowing allowance: Duration) {
    self.allowance = allowance
    let measurement = measurement
    Thread { measurement.run() }.start()
  }

  deinit { measurement.isOver.store(true, ordering: .relaxed) }

  /// The delays that the machine caused, in words; `nil` if each was in the allowance.
  package var shortfall: String? {
    let delays = measurement.delays.withLock { $0 }
    let late = delays.count { $0 > allowance }
    guard late > 0 || delays.isEmpty else { return nil }
    return """
      The machine was too slow for this test: of \(delays.count) turns of a thread, 60 a second, \(late) were more than \
      \(allowance) late, the worst \(delays.max() ?? .zero).
      """
  }

  /// Runs expectations about times. If one fails on a machine that was too slow, it counts as a known issue, and the rest
  /// of the test is skipped.
  package func expect(_ sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws {
    guard let shortfall else { return try body() }
    let hasFailed = Atomic(false)
    let reason = Comment(rawValue: shortfall)
    try withKnownIssue(
      reason, isIntermittent: true, sourceLocation: sourceLocation, body,
      matching: { _ in
        hasFailed.store(true, ordering: .relaxed)
        return true
      })
    if hasFailed.load(ordering: .relaxed) {
      try Test.cancel(reason, sourceLocation: sourceLocation)
    }
  }

  private final class Measurement: Sendable {
    private static let period = Duration.nanoseconds(16_666_667)
    /// The processor time of a turn: about what a program takes for a small frame.
    private static let work = Duration.milliseconds(2)

    let isOver = Atomic<Bool>(false)
    let delays = Mutex<[Duration]>([])

    func run() {
      let clock = SystemClock()
      var due = clock.now + Self.period
      while !isOver.load(ordering: .relaxed) {
        clock.wait(until: due)
        let end = Self.processorTime() + Self.work
        while Self.processorTime() < end {}
        let done = clock.now
        delays.withLock { $0.append(done - due - Self.work) }
        // Turns that were missed count once, by their delay.
        while due < done { due = due + Self.period }
      }
    }

    /// The time for which this thread has run on a processor.
    private static func processorTime() -> Duration {
      var time = timespec()
      // UNSAFE: the call fills the struct; it cannot fail for this clock.
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
  }
}
