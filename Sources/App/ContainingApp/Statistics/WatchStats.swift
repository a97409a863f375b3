import Causes
import CommandLineSupport
import ScreenBroadcast

/// The rates and counts of a watch, reported once a second while frames may arrive.
package struct WatchStats: JSONEvent, Equatable, Sendable {
  package static let event = "stats"
  /// The frames per second that the extension published (in) and that the app received (out), over about the last second.
  /// Both are 0 in the first 0.2 s after the first frame of a broadcast.
  package var framesPerSecondIn: Double
  package var framesPerSecondOut: Double
  /// The time from capture to arrival of the newest frame, in milliseconds.
  package var ageMs: Double
  /// The frames that were replaced between two polls, so far.
  package var framesSkipped: UInt64
  /// Counted like in `summary`, so far.
  package var framesTorn: UInt64
  package var framesWithoutProof: UInt64 = 0
  /// The format of the frames; `nil` before the first frame.
  package var format: FrameFormat?
  /// The bit rate of the frames that the app received, uncompressed, in bits per second.
  package var bitRate: Double
  /// The phase of the broadcast.
  package var phase: BroadcastState.Phase
  /// The time since the start of the watch, in seconds.
  package var seconds: Double
  /// The peak of an audio stream over the last quarter to half of a second, in decibels below full scale. It is -96 for
  /// silence, and from one second after the last packet; `nil` before the first packet.
  package var appLevelDb: Double?
  package var micLevelDb: Double?
  /// How much later than the latest frame the latest audio was recorded (Docs/CommandLine.md#audio-of-a-watch), in
  /// milliseconds; `nil` if there are no frames or no audio.
  package var avOffsetMs: Double?
  /// The audio streams that stopped during the broadcast, and whether each stream had sound.
  package var stoppedAudio: [BroadcastAudioStream: Bool] = [:]
  /// The footprint of the extension, and its limit (the limit of iOS with `--memory-limit off`), from the phone's latest
  /// facts.
  package var footprintBytes: UInt64?
  package var limitBytes: UInt64?
  /// The requested rate of the screen, and the rate of the frames that were dropped before the handler.
  package var framesPerSecondAsked = Double.infinity
  package var framesPerSecondDropped = 0.0

  /// Whether the app receives too few of the screen's frames. At most `limit` frames per second count.
  func isSlow(limit: Double) -> Bool {
    FrameRateLimit.isShort(
      framesPerSecondOut, of: min(framesPerSecondAsked, limit),
      shown: framesPerSecondIn + framesPerSecondDropped)
  }

  private enum CodingKeys: CodingKey {
    case framesPerSecondIn, framesPerSecondOut, ageMs, framesSkipped, framesTorn, framesWithoutProof, bitRate
    case phase, seconds
    case appLevelDb, micLevelDb, avOffsetMs, footprintBytes, limitBytes
  }
}
