/// A block of samples as a track's renderers get it: 10 ms of 16-bit sound.
///
/// It stands for `AVAudioPCMBuffer`, which the iOS builds hand over, and holds what `AudioTrackSinkInterface::OnData` has:
/// the samples, their rate, channels and number, and when they were recorded.
public struct RTCPCMBuffer: Equatable, Sendable {
  /// The samples, channel by channel within a frame.
  public let samples: [Int16]
  /// Frames a second.
  public let sampleRate: Int
  /// Samples of a frame.
  public let numberOfChannels: Int
  /// When the first frame was recorded, in nanoseconds, monotonic.
  public let timeStampNs: Int64

  /// The bits of one sample: 16.
  public var bitsPerSample: Int { 16 }
  /// The frames of the block: a hundredth of the rate.
  public var numberOfFrames: Int { samples.count / numberOfChannels }

  init(samples: [Int16], sampleRate: Int, numberOfChannels: Int, timeStampNs: Int64) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.numberOfChannels = numberOfChannels
    self.timeStampNs = timeStampNs
  }

  /// The same block without a sound.
  var silenced: RTCPCMBuffer {
    RTCPCMBuffer(
      samples: [Int16](repeating: 0, count: samples.count), sampleRate: sampleRate,
      numberOfChannels: numberOfChannels, timeStampNs: timeStampNs)
  }
}
