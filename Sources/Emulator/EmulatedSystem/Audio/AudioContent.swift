import TestPatterns

/// What an emulated device plays or records.
@MainActor
package protocol AudioContent: AnyObject {
  /// Returns `count` frames from `frame` on, the channels of a frame together: `count * channelCount` samples.
  ///
  /// Frames are requested in order; the frames of a pause are not requested.
  ///
  /// - Parameter clock: the sample rate of the stream, and the time of its frame 0.
  func samples(from frame: UInt64, count: Int, channelCount: Int, clock: SampleClock) -> [Int16]
}

/// A sine with a time mark at each whole second, the same on all channels: a reader can check whether the audio
/// matches its timestamps.
package final class ToneContent: AudioContent {
  private let tone: TestTone

  /// A tone of a frequency in hertz, above 0 and below half the stream's sample rate.
  package init(frequency: Int = 440) { tone = TestTone(frequency: frequency) }

  package func samples(from frame: UInt64, count: Int, channelCount: Int, clock: SampleClock) -> [Int16] {
    let samples = tone.samples(from: frame, count: count, of: clock)
    guard channelCount > 1 else { return samples }
    return samples.flatMap { repeatElement($0, count: channelCount) }
  }
}
