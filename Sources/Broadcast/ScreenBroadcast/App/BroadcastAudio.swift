import Platform

/// A run of sound as the app receives it: frames that follow one another without a break.
public struct BroadcastAudio: Equatable, Sendable {
  /// Which stream it is of.
  public var stream: BroadcastAudioStream
  /// Frames a second; a frame is a sample of each channel.
  public var sampleRate: Double
  /// The number of channels.
  public var channelCount: Int
  /// The samples in this machine's byte order, the channels taking turns.
  public var samples: [Int16]
  /// When the first frame was recorded, by the clock of the frames' capture times.
  public var time: MonotonicTime
  /// How many frames of the stream came before the first one in its session. More than those told before means that
  /// frames are missing between.
  public var index: UInt64
  /// The random id of the session, as of the frames; see ``BroadcastFrame/ID``.
  public var session: UInt64
  /// How many pauses of the session came before it. Where they are as before and the time jumps, sound is missing.
  public var pauses: UInt32

  /// Sound from its parts.
  public init(
    stream: BroadcastAudioStream, sampleRate: Double, channelCount: Int, samples: [Int16],
    time: MonotonicTime,
    index: UInt64, session: UInt64, pauses: UInt32 = 0
  ) {
    self.stream = stream
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.samples = samples
    self.time = time
    self.index = index
    self.session = session
    self.pauses = pauses
  }

  /// The number of frames.
  public var frameCount: Int { samples.count / channelCount }
}
