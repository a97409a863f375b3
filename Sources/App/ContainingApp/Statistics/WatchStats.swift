/// How it goes at the moment.
package struct WatchStats: Equatable, Sendable {
  /// Frames the extension published per second, over the last second or so.
  package var framesPerSecondIn: Double
  /// Frames the app got per second, over the last second or so.
  package var framesPerSecondOut: Double
  /// The age of the latest frame on arrival, in milliseconds.
  package var ageMs: Double
  /// Frames that came and went between two polls, so far.
  package var framesSkipped: UInt64
  /// Frames that were not whole, so far.
  package var framesTorn: UInt64
  /// The shape of the frames; `nil` before the first.
  package var format: FrameFormat?
  /// The uncompressed bit rate of what the app got, in bits per second.
  package var bitRate: Double
  /// Where the broadcast is in its life.
  package var phase: BroadcastState.Phase
  /// How long the app has been watching, in seconds.
  package var seconds: Double
  /// The peak of the last moment of app audio, in decibels below full scale; `nil` before any came.
  package var appLevelDb: Double?
  /// The same of the microphone.
  package var micLevelDb: Double?
  /// How much later than the newest picture the newest sound was taken, in milliseconds; `nil` without both.
  package var avOffsetMs: Double?
}
