/// What became of a broadcast.
public struct BroadcastReport: Sendable {
  /// How it ended.
  public var ending: BroadcastEnding
  /// The counts at its end.
  public var progress: Progress
  /// What the handler did that it should not, and how often.
  public var misuses: [HandlerMisuse: UInt64] = [:]

  /// How far a broadcast has come.
  public struct Progress: Equatable, Sendable {
    /// Frames delivered to the extension.
    public var framesProduced: UInt64
    /// Frames of the screen that were not delivered: five waited already, or the screen had no time for them.
    public var framesDropped: UInt64
    /// Ticks that came more than half a frame period late.
    public var lateTicks: UInt64
    /// Samples of sound that were not delivered, because five waited already.
    public var audioDropped: UInt64 = 0
    /// How long it has run, in seconds, pauses included.
    public var seconds: Double
    /// How long it was paused, in seconds.
    public var secondsPaused: Double

    /// The time from the first frame to the last, in seconds, pauses left out.
    public var secondsOfFrames: Double

    /// The achieved rate from the first frame to the last, pauses left out, in frames per second; 0 for fewer
    /// than two frames.
    public var framesPerSecond: Double {
      framesProduced > 1 && secondsOfFrames > 0 ? Double(framesProduced - 1) / secondsOfFrames : 0
    }
  }
}
