/// The encoding of the samples in an audio ring: linear PCM, signed 16-bit, with interleaved channels.
public struct AudioRingFormat: Equatable, Sendable {
  /// Frames per second (1000…384,000).
  public var sampleRate: Double
  /// The number of channels (1 or 2).
  public var channelCount: Int
  /// Whether samples are big-endian, like the audio of apps on a phone.
  public var isBigEndian: Bool

  /// Creates a format; `nil` if a value is out of range.
  public init?(sampleRate: Double, channelCount: Int, isBigEndian: Bool) {
    guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channelCount) else { return nil }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.isBigEndian = isBigEndian
  }

  /// The valid sample rates in frames per second. Both calls and WAV files accept them.
  public static let sampleRates = 1000.0...384_000
  /// The valid numbers of channels.
  public static let channelCounts = 1...2
  /// Bits per sample.
  public static let bitsPerSample = 16

  /// Bytes per frame. A frame has one sample of each channel.
  public var bytesPerFrame: Int { channelCount * Self.bitsPerSample / 8 }

  func nanoseconds(ofFrames count: UInt64) -> Double { Double(count) * 1_000_000_000 / sampleRate }
}
