import CommandLineSupport
import Dispatch
import Foundation
import Synchronization

/// Records whether a signal has asked the program to end.
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

/// Measures the time of a run, and decides when to report progress.
package struct ProgressClock {
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now

  package init() {}

  /// The time since the start of the run.
  package var elapsed: Duration { ContinuousClock.now - start }

  /// Whether `interval` has passed since the last report. If so, the caller must report, and the interval restarts.
  package mutating func isDue(every interval: Duration) -> Bool {
    guard ContinuousClock.now - last >= interval else { return false }
    last = ContinuousClock.now
    return true
  }
}
