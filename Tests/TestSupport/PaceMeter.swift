import Foundation
import Platform
import Synchronization
import Testing

/// A thread that works at a fixed rate beside the programs of a test, by default 60 times a second, and measures how late
/// the machine runs it.
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
  private let measurement: Measurement
  private let allowance: Duration

  /// Starts the thread. `allowance` is the delay of one turn that the test's bounds have room for.
  ///
  /// A turn takes processor time, by default about that of a program for a small frame. The system prefers threads that
  /// rarely work. So a test of programs that need whole processors asks for turns that are longer and fewer.
  package init(
    allowing allowance: Duration, work: Duration = .milliseconds(2),
    every period: Duration = .nanoseconds(16_666_667)
  ) {
    self.allowance = allowance
    let measurement = Measurement(work: work, period: period)
    self.measurement = measurement
    Thread { measurement.run() }.start()
  }

  deinit { measurement.isOver.store(true, ordering: .relaxed) }

  /// The delays that the machine caused, in words; `nil` if each was in the allowance.
  package var shortfall: String? {
    let delays = measurement.delays.withLock { $0 }
    let late = delays.count { $0 > allowance }
    guard late > 0 || delays.isEmpty else { return nil }
    return """
      The machine was too slow for this test: of \(delays.count) turns of a thread, one every \(measurement.period), \
      \(late) were more than \(allowance) late, the worst \(delays.max() ?? .zero).
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
    let work: Duration
    let period: Duration
    let isOver = Atomic<Bool>(false)
    let delays = Mutex<[Duration]>([])

    init(work: Duration, period: Duration) { (self.work, self.period) = (work, period) }

    func run() {
      let clock = SystemClock()
      var due = clock.now + period
      while !isOver.load(ordering: .relaxed) {
        clock.wait(until: due)
        let end = Self.processorTime() + work
        while Self.processorTime() < end {}
        let done = clock.now
        delays.withLock { $0.append(done - due - work) }
        // Turns that were missed count once, by their delay.
        while due < done { due = due + period }
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
