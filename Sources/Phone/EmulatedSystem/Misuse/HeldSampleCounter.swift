import CommandLineSupport
import Platform
import Synchronization

/// Counts the samples that a handler still holds after `processSampleBuffer(_:with:)` has returned.
///
/// A video or audio sample is held while the handler retains it or a copy. Retaining only the pixel buffer does not count;
/// neither do references of a framework.
package final class HeldSampleCounter: Sendable {
  /// Shorter times do not count. Within this time a queue of the handler copies a sample, or a block that the call waited
  /// for releases it.
  private static let tolerance = Duration.milliseconds(10)

  package struct Figures: Equatable, Sendable {
    package var count: UInt64 = 0
    package var longest = Duration.zero

    fileprivate mutating func add(_ time: Duration) {
      guard time >= HeldSampleCounter.tolerance else { return }
      (count, longest) = (count + 1, max(longest, time))
    }
  }

  private let clock: any MonotonicClock
  private let state = Mutex(State())

  /// Whether the call with a sample is in progress, or when it returned.
  private enum Stage { case inCall, returned(MonotonicTime) }

  private struct State {
    var count: UInt64 = 0
    /// The existing samples, by number.
    var open: [UInt64: Stage] = [:]
    var figures = Figures()
  }

  /// Reports the release of a sample. The sample and its copies retain this token.
  private final class ReleaseToken: Sendable {
    private let samples: HeldSampleCounter
    private let sample: UInt64

    init(_ samples: HeldSampleCounter, sample: UInt64) {
      self.samples = samples
      self.sample = sample
    }

    deinit { samples.release(sample) }
  }

  init(clock: any MonotonicClock) { self.clock = clock }

  /// The statistics so far, including the samples that are still held.
  var figures: Figures {
    let now = clock.now
    return state.withLock { state in
      state.open.values.reduce(into: state.figures) { figures, stage in
        if case .returned(let time) = stage { figures.add(now - time) }
      }
    }
  }

  /// Runs a call of the handler. `body` attaches the holder to the sample.
  func watch(_ body: (any Sendable & AnyObject) -> Void) {
    let sample = state.withLock { state in
      state.count += 1
      state.open[state.count] = .inCall
      return state.count
    }
    body(ReleaseToken(self, sample: sample))
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
