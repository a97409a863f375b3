import Platform

/// The times of an audio stream. Frame `n` is captured at `start + n / sampleRate`. Each time is computed from the start, so
/// rounding errors do not accumulate.
package struct SampleClock: Equatable, Sendable {
  /// The capture time of frame 0.
  package let start: MonotonicTime
  /// Frames per second (positive).
  package let sampleRate: Int

  private static let second: UInt64 = 1_000_000_000

  package init(start: MonotonicTime, sampleRate: Int) {
    precondition(sampleRate > 0, "the sample rate is not positive")
    self.start = start
    self.sampleRate = sampleRate
  }

  /// Returns the capture time of a frame, rounded down to nanoseconds.
  package func time(ofFrame frame: UInt64) -> MonotonicTime {
    let (seconds, rest) = frame.quotientAndRemainder(dividingBy: UInt64(sampleRate))
    return MonotonicTime(
      nanoseconds: start.nanoseconds + seconds * Self.second + rest * Self.second / UInt64(sampleRate))
  }

  /// Returns the first frame at or after `time`.
  package func firstFrame(notBefore time: MonotonicTime) -> UInt64 {
    frames(until: time, rounding: Self.second - 1)
  }

  /// Returns the number of frames that end by `time`.
  package func framesComplete(at time: MonotonicTime) -> UInt64 { frames(until: time, rounding: 0) }

  private func frames(until time: MonotonicTime, rounding: UInt64) -> UInt64 {
    let (seconds, rest) = time.nanoseconds(since: start).quotientAndRemainder(dividingBy: Self.second)
    return seconds * UInt64(sampleRate) + (rest * UInt64(sampleRate) + rounding) / Self.second
  }
}
