import Platform

/// The times of an audio stream: frame `n` is captured at `start + n / sampleRate`. Each time is computed from the start, so
/// that rounding errors do not accumulate.
public struct SampleClock: Equatable, Sendable {
  /// The capture time of frame 0.
  public let start: MonotonicTime
  /// The frames per second, positive.
  public let sampleRate: Int

  private var rate: UInt64 { UInt64(sampleRate) }
  private static let second: UInt64 = 1_000_000_000

  /// Creates the clock of a stream.
  public init(start: MonotonicTime, sampleRate: Int) {
    precondition(sampleRate > 0, "the sample rate is not positive")
    self.start = start
    self.sampleRate = sampleRate
  }

  /// Returns the capture time of a frame, rounded down to nanoseconds.
  public func time(ofFrame frame: UInt64) -> MonotonicTime {
    MonotonicTime(
      nanoseconds: start.nanoseconds + frame / rate * Self.second + frame % rate * Self.second / rate)
  }

  /// Returns the first frame at or after `time`.
  public func firstFrame(notBefore time: MonotonicTime) -> UInt64 {
    let span = time.nanoseconds(since: start)
    return span / Self.second * rate + (span % Self.second * rate + Self.second - 1) / Self.second
  }

  /// Returns the number of frames that end by `time`.
  public func framesComplete(at time: MonotonicTime) -> UInt64 {
    let span = time.nanoseconds(since: start)
    return span / Self.second * rate + span % Self.second * rate / Self.second
  }
}
