import Causes
import CommandLineSupport
import ScreenBroadcast

/// The present rates and counts of a watch. Its properties but the format and the stopped streams are the keys of the JSON event `stats`.
package struct WatchStats: JSONEvent, Equatable, Sendable {
  package static let event = "stats"
  /// Frames per second that the extension published and that the app received, over about the last second.
  package var framesPerSecondIn: Double
  package var framesPerSecondOut: Double
  /// The age of the newest frame on arrival, in milliseconds.
  package var ageMs: Double
  /// The frames that were replaced between two polls, so far.
  package var framesSkipped: UInt64
  /// As in ``AppSummary``, so far.
  package var framesTorn: UInt64
  package var framesWithoutProof: UInt64 = 0
  /// The format of the frames; `nil` before the first.
  package var format: FrameFormat?
  /// The uncompressed bit rate of the received frames, in bits per second.
  package var bitRate: Double
  package var phase: BroadcastState.Phase
  /// The time since the start of the watch, in seconds.
  package var seconds: Double
  /// The present peaks of audio, in decibels below full scale; `nil` before any came.
  package var appLevelDb: Double?
  package var micLevelDb: Double?
  /// How much later than the newest frame the newest audio was recorded, in milliseconds; `nil` without both.
  package var avOffsetMs: Double?
  /// The streams of audio that stopped during the broadcast, and whether each had sound.
  package var stoppedAudio: [BroadcastAudioStream: Bool] = [:]
  /// The memory of the extension that counts, and its limit or, without one, that of iOS: bytes, as the phone noted them last;
  /// `nil` without a broadcast.
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
