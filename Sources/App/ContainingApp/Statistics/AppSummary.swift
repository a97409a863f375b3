import CommandLineSupport
import Platform
import RunReports
import ScreenBroadcast

/// The result of a watch. Its properties are the keys of the JSON event `summary`, described in
/// `Docs/JSONLines.md`. Rates are per second of an active broadcast; delays are in milliseconds.
package struct WatchSummary: JSONEvent, Equatable, Sendable {
  package static let event = "summary"
  package var framesDelivered: UInt64
  /// Frames that were replaced between two polls.
  package var framesSkipped: UInt64
  /// Frames that the extension received in its last session and could not publish.
  package var framesDropped: UInt64
  /// Frames that the app received more than once.
  package var framesRepeated: UInt64
  /// Frames of a broadcast that was over, received more than half a second after their publication.
  package var framesStale: UInt64
  /// The frames of the proof pattern with bytes of another frame or place, or of none.
  package var framesTorn: UInt64
  /// The verified frames that do not show the proof pattern.
  package var framesWithoutProof: UInt64
  package var framesVerified: UInt64
  /// Reads that were repeated because the extension overtook them.
  package var readsOvertaken: UInt64
  package var statusChanges: UInt64
  package var polls: UInt64
  package var pollsPerSecond: Double
  /// Polls that were skipped because the one before took too long.
  package var missedTicks: UInt64
  package var framesPerSecond: Double
  package var secondsActive: Double
  package var ageMs: Delays
  /// The delays from the publication of frames to the reads that found them.
  package var handOffMs: Delays
  package var appAudio: AudioState?
  package var microphone: AudioState?
  /// How much later than the newest frame the newest audio was recorded; `nil` without both.
  package var avOffsetMs: Delays?

  package typealias Delays = DelayHistogram.Percentiles

  package init(_ state: BroadcastState, _ delays: FrameDelays = FrameDelays()) {
    framesDelivered = state.frames.framesDelivered
    framesSkipped = state.frames.framesSkipped
    framesDropped = state.framesDropped
    framesRepeated = state.frames.framesRepeated + state.framesShownAgain
    framesStale = state.framesStale
    framesTorn = state.framesTorn
    framesWithoutProof = state.framesWithoutProof
    framesVerified = state.framesVerified
    readsOvertaken = state.frames.readsOvertaken
    statusChanges = state.statusChanges
    polls = state.frames.polls
    missedTicks = state.missedTicks
    let seconds = state.timePolled / .seconds(1)
    secondsActive = seconds
    pollsPerSecond = seconds > 0 ? Double(state.ticks) / seconds : 0
    // The poll at the end of a broadcast is not one of the timer, nor is a frame it finds.
    let framesOfTicks = min(state.frames.framesDelivered, state.ticks)
    framesPerSecond = seconds > 0 ? Double(framesOfTicks) / seconds : 0
    ageMs = Delays(delays.ages)
    handOffMs = Delays(delays.handOffs)
    appAudio = state.appAudio
    microphone = state.microphone
    avOffsetMs = Delays(magnitudesOf: delays.avOffsets)
  }
}

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
  /// As in ``WatchSummary``, so far.
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

  /// Whether the app receives less than 80 % of the published frames, of which at most `limit` per second count.
  func isSlow(limit: Double) -> Bool { framesPerSecondOut < 0.8 * min(framesPerSecondIn, limit) }

  private enum CodingKeys: CodingKey {
    case framesPerSecondIn, framesPerSecondOut, ageMs, framesSkipped, framesTorn, framesWithoutProof, bitRate
    case phase, seconds
    case appLevelDb, micLevelDb, avOffsetMs
  }
}
