import Platform

/// The audio streams of a broadcast.
public enum BroadcastAudioStream: String, CaseIterable, Sendable {
  /// Audio played by apps.
  case app
  /// Audio recorded by the microphone.
  case microphone
}

/// A run of audio without a gap, as the app receives it. A frame is one sample of each channel.
public struct BroadcastAudio: Equatable, Sendable {
  /// The stream of the run.
  public var stream: BroadcastAudioStream
  /// Frames per second.
  public var sampleRate: Double
  /// The number of channels (1 or 2).
  public var channelCount: Int
  /// The interleaved samples, in the host's byte order.
  public var samples: [Int16]
  /// The capture time of the first frame, by the clock of the screen's frames.
  public var time: MonotonicTime
  /// The number of frames of the stream before this run, in its session. If it exceeds the number of reported frames, frames are
  /// missing in between.
  public var index: UInt64
  /// The random ID of the session. The screen's frames have the same ID (see ``BroadcastFrame/ID``).
  public var session: UInt64
  /// The number of pauses of the session before this run. If it is unchanged and the time jumps, audio is missing.
  public var pauses: UInt32 = 0

  /// The number of frames.
  public var frameCount: Int { samples.count / channelCount }
}
