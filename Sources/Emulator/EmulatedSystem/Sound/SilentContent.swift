import TestPatterns

/// Nothing sounds: what a device delivers while no app plays.
public final class SilentContent: AudioContent {
  /// Silence.
  public init() {}

  /// Zeros.
  public func samples(from frame: UInt64, count: Int, channelCount: Int, clock: SampleClock) -> [Int16] {
    [Int16](repeating: 0, count: count * channelCount)
  }
}
