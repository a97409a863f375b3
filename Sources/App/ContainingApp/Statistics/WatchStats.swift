/// How it goes at the moment.
public struct WatchStats: Equatable, Sendable {
  /// Frames the extension published per second, over the last second or so.
  public var framesPerSecondIn: Double
  /// Frames the app got per second, over the last second or so.
  public var framesPerSecondOut: Double
  /// The age of the latest frame on arrival, in milliseconds.
  public var ageMs: Double
  /// Frames that came and went between two polls, so far.
  public var framesSkipped: UInt64
  /// Frames that were not whole, so far.
  public var framesTorn: UInt64
  /// The shape of the frames; `nil` before the first.
  public var format: FrameFormat?
  /// The uncompressed bit rate of what the app got, in bits per second.
  public var bitRate: Double
  /// Where the broadcast is in its life.
  public var phase: BroadcastState.Phase
  /// How long the app has been watching, in seconds.
  public var seconds: Double
  /// The peak of the last moment of app audio, in decibels below full scale; `nil` before any came.
  public var appLevelDb: Double?
  /// The same of the microphone.
  public var micLevelDb: Double?
  /// How much later than the newest picture the newest sound was taken, in milliseconds; `nil` without both.
  public var avOffsetMs: Double?
}
