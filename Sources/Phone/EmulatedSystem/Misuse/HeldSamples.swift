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
  private static let tolerance = Duration.milliseconds(10)

  package struct Figures: Equatable, Sendable {
    package var count: UInt64 = 0
    package var longest = Duration.zero

    fileprivate mutating func add(_ time: Duration) {
      guard time >= HeldSamples.tolerance else { return }
      (count, longest) = (count + 1, max(longest, time))
    }
  }

  private let clock: any MonotonicClock
  private let state = Mutex(State())

  /// Whether the call with a sample lasts, or when it has returned.
  private enum Stage { case inCall, returned(MonotonicTime) }

  private struct State {
    var count: UInt64 = 0
    /// The samples that exist, by their numbers.
    var open: [UInt64: Stage] = [:]
    var figures = Figures()
  }

  /// Notes the release of one sample: the sample and its copies retain it.
  private final class Holder: Sendable {
    private let samples: HeldSamples
    private let sample: UInt64

    init(_ samples: HeldSamples, sample: UInt64) { (self.samples, self.sample) = (samples, sample) }

    deinit { samples.release(sample) }
  }

  init(clock: any MonotonicClock) { self.clock = clock }

  /// Those held until now.
  var figures: Figures {
    let now = clock.now
    return state.withLock { state in
      state.open.values.reduce(into: state.figures) { figures, stage in
        if case .returned(let time) = stage { figures.add(now - time) }
      }
    }
  }

  /// Runs a call of the handler. `body` passes the holder on with the sample.
  func watch(_ body: (any Sendable & AnyObject) -> Void) {
    let sample = state.withLock { state in
      state.count += 1
      state.open[state.count] = .inCall
      return state.count
    }
    body(Holder(self, sample: sample))
    let now = clock.now
    state.withLock { state in
      if state.open[sample] != nil { state.open[sample] = .returned(now) }
    }
  }

  private func release(_ sample: UInt64) {
    let now = clock.now
    state.withLock { state in
      if case .returned(let time) = state.open.removeValue(forKey: sample) { state.figures.add(now - time) }
    }
  }
}
