import CommandLineSupport
import Dispatch
import Foundation
import Synchronization

/// Whether a signal has arrived that asks the program to end.
package final class Interruption: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var hasArrived: Bool { flag.load(ordering: .relaxed) }

  /// Handles the signals for the lifetime of the returned object.
  package func handleSignals() -> SignalSources {
    let signals = SignalSources(queue: DispatchQueue(label: "interruption"))
    for number in SignalSources.requestsToEnd {
      signals.handle(number) { self.flag.store(true, ordering: .relaxed) }
    }
    return signals
  }
}

/// The time of a run, and when to report progress.
package struct ProgressClock {
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now

  package init() {}

  /// The time since the start of the run.
  package var elapsed: Duration { ContinuousClock.now - start }

  /// Whether `interval` has passed since the last report; a report is then due and counts as made.
  package mutating func isDue(every interval: Duration) -> Bool {
    guard ContinuousClock.now - last >= interval else { return false }
    last = ContinuousClock.now
    return true
  }
}
