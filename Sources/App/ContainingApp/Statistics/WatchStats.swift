import Causes
import CommandLineSupport
import ScreenBroadcast

/// The rates and counts of a watch, once a second while frames may arrive.
package struct WatchStats: JSONEvent, Equatable, Sendable {
  package static let event = "stats"
  /// Frames per second that the extension published and that the app received, over about the last second. Less than 0.2 s after
  /// the first frame of a broadcast they are 0.
  package var framesPerSecondIn: Double
  package var framesPerSecondOut: Double
  /// The time from capture to arrival of the newest frame, in milliseconds.
  package var ageMs: Double
  /// Frames that were replaced between two polls, so far.
  package var framesSkipped: UInt64
  /// As in `summary`, so far.
  package var framesTorn: UInt64
  package var framesWithoutProof: UInt64 = 0
  /// The format of the frames; `nil` before the first.
  package var format: FrameFormat?
  /// Uncompressed bits per second that the app received.
  package var bitRate: Double
  /// The phase of the broadcast.
  package var phase: BroadcastState.Phase
  /// The time since the start of the watch, in seconds.
  package var seconds: Double
  /// The peak of an audio stream over the last quarter to half of a second, in decibels below full scale: -96 for silence, and
  /// from a second after the last packet on; `nil` before the first.
  package var appLevelDb: Double?
  package var micLevelDb: Double?
  /// How much later than the newest frame the newest audio was recorded (Docs/CommandLine.md#audio-of-a-watch), in milliseconds;
  /// `nil` without both.
  package var avOffsetMs: Double?
  /// The streams of audio that stopped during the broadcast, and whether each had sound.
  package var stoppedAudio: [BroadcastAudioStream: Bool] = [:]
  /// The memory of the extension that counts, and its limit (that of iOS with `--memory-limit off`), as the phone noted them
  /// last.
  package var footprintBytes: UInt64?
  package var limitBytes: UInt64?

  /// Whether the app receives too few of the published frames, of which at most `limit` per second count.
  func isSlow(limit: Double) -> Bool {
    framesPerSecondOut < FrameRateLimit.leastShare * min(framesPerSecondIn, limit)
  }

  private enum CodingKeys: CodingKey {
    case framesPerSecondIn, framesPerSecondOut, ageMs, framesSkipped, framesTorn, framesWithoutProof, bitRate
    case phase, seconds
    case appLevelDb, micLevelDb, avOffsetMs, footprintBytes, limitBytes
  }
}
