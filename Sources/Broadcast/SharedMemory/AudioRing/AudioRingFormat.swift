/// How the samples of an audio ring are encoded: linear PCM of signed 16-bit numbers, the channels taking turns.
public struct AudioRingFormat: Equatable, Sendable {
  /// Frames a second, 1000…384,000.
  public var sampleRate: Double
  /// The number of channels, 1…2.
  public var channelCount: Int
  /// Whether the most significant byte of a sample comes first, as in the sound of apps on a phone.
  public var isBigEndian: Bool

  /// A format; `nil` when there is no such one.
  public init?(sampleRate: Double, channelCount: Int, isBigEndian: Bool) {
    guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channelCount) else { return nil }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.isBigEndian = isBigEndian
  }

  /// The rates there are, in frames a second: those a call and a WAV file take.
  public static let sampleRates = 1000.0...384_000
  /// The numbers of channels there are, likewise.
  public static let channelCounts = 1...2
  /// The bits of a sample.
  public static let bitsPerSample = 16

  /// The bytes of a frame, which is a sample of each channel.
  public var bytesPerFrame: Int { channelCount * Self.bitsPerSample / 8 }

  /// How long so many frames last, in nanoseconds.
  func duration(ofFrames count: UInt64) -> Double { Double(count) * 1_000_000_000 / sampleRate }
}
