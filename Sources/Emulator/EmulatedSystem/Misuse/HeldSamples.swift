import CommandLineSupport
import Platform
import Synchronization

/// Counts the samples that a handler holds after `processSampleBuffer(_:with:)` has returned.
///
/// A sample is held while the handler retains it, or a copy of it, video or audio. The pixel buffer alone does not count, nor
/// does a sample that a framework keeps for itself.
package final class HeldSamples: Sendable {
  /// What is held for less does not count: the time in which a queue of the handler copies a sample, or a block that was
  /// waited for in the call releases it.
  package static let tolerance = Duration.milliseconds(10)

  package struct Figures: Equatable, Sendable {
    package var count: UInt64 = 0
    package var longest = Duration.zero

    fileprivate mutating func add(_ time: Duration) {
      guard time >= HeldSamples.tolerance else { return }
      (count, longest) = (count + 1, max(longest, time))
    }

    /// One sentence; `nil` if no sample was held.
    package var notice: String? {
      guard count > 0 else { return nil }
      return
        "The handler held \(count) \(count == 1 ? "sample" : "samples") after processSampleBuffer had returned, for "
        + "\((longest / .seconds(1)).text(decimals: 2)) s at most; Apple's documentation says to keep no reference: copy what "
        + "is needed before the return."
    }
  }

  private let clock: any MonotonicClock
  private let state = Mutex(State())

  private struct State {
    var calls: UInt64 = 0
    /// The samples that exist, by the number of their calls, with the times of the returns.
    var open: [UInt64: MonotonicTime?] = [:]
    var figures = Figures()
  }

  /// Notes the release of one sample: the sample and its copies retain it.
  private final class Holder: Sendable {
    private let samples: HeldSamples
    private let call: UInt64

    init(_ samples: HeldSamples, call: UInt64) { (self.samples, self.call) = (samples, call) }

    deinit { samples.release(call) }
  }

  init(clock: any MonotonicClock) { self.clock = clock }

  /// Those held until now.
  var figures: Figures {
    let now = clock.now
    return state.withLock { state in
      state.open.values.reduce(into: state.figures) { figures, returned in
        if let returned { figures.add(now - returned) }
      }
    }
  }

  /// Calls the handler with a sample that is handed to the holder.
  func watch(_ call: (any Sendable & AnyObject) -> Void) {
    let number = state.withLock { state in
      state.calls += 1
      state.open[state.calls] = .some(nil)
      return state.calls
    }
    call(Holder(self, call: number))
    let now = clock.now
    state.withLock { state in
      if state.open[number] != nil { state.open[number] = now }
    }
  }

  private func release(_ call: UInt64) {
    let now = clock.now
    state.withLock { state in
      if let returned = state.open.removeValue(forKey: call) ?? nil { state.figures.add(now - returned) }
    }
  }
}
