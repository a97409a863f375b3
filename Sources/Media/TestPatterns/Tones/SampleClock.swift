/// The times of a stream of samples: frame `n` is taken at `start + n / sampleRate`, each counted from the start, so that
/// rounding never adds up.
public struct SampleClock: Equatable, Sendable {
  /// When frame 0 is taken, in monotonic nanoseconds.
  public let start: UInt64
  /// Frames a second, above 0.
  public let sampleRate: Int

  private var rate: UInt64 { UInt64(sampleRate) }
  private static let second: UInt64 = 1_000_000_000

  /// A stream that begins at `start`.
  public init(start: UInt64, sampleRate: Int) {
    precondition(sampleRate > 0, "A stream of samples has a rate.")
    self.start = start
    self.sampleRate = sampleRate
  }

  /// When a frame is taken, in monotonic nanoseconds, rounded down.
  public func time(ofFrame frame: UInt64) -> UInt64 {
    start + frame / rate * Self.second + frame % rate * Self.second / rate
  }

  /// The first frame that is not taken before `time`.
  public func firstFrame(notBefore time: UInt64) -> UInt64 {
    let span = time - min(time, start)
    return span / Self.second * rate + (span % Self.second * rate + Self.second - 1) / Self.second
  }

  /// How many frames are over at `time`.
  public func framesComplete(at time: UInt64) -> UInt64 {
    let span = time - min(time, start)
    return span / Self.second * rate + span % Self.second * rate / Self.second
  }
}
