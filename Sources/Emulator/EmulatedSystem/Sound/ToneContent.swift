import TestPatterns

/// A sine with a time mark at each whole second, the same on all channels, so that it can be told whether a sound is
/// in step with its timestamps.
public final class ToneContent: AudioContent {
  private let tone: TestTone

  /// A tone of a pitch in hertz, above 0 and below half the stream's rate.
  public init(frequency: Int = 440) { tone = TestTone(frequency: frequency) }

  /// The tone.
  public func samples(from frame: UInt64, count: Int, channelCount: Int, clock: SampleClock) -> [Int16] {
    let samples = tone.samples(from: frame, count: count, of: clock)
    guard channelCount > 1 else { return samples }
    return samples.flatMap { repeatElement($0, count: channelCount) }
  }
}
