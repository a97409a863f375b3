import CommandLineSupport
import Platform
import RunReports
import ScreenBroadcast

/// The statistics of the app, at the end of a watch. Rates are per second of an active broadcast.
///
/// ```swift
/// #expect(try await broadcast.app.summary().framesTorn == 0)
/// ```
/// Rates are per second of an active broadcast; delays are in milliseconds.
public struct AppSummary: JSONEvent, Codable, Equatable, Sendable {
  package static let event = "summary"
  /// Frames that the app received.
  public var framesDelivered: UInt64
  /// Frames that were replaced between two polls.
  public var framesSkipped: UInt64
  /// Frames of the last broadcast that the extension did not get (as in `finished`), or could not publish.
  public var framesDropped: UInt64
  /// Frames that the app received again. A number above 0 is a bug, except with `--layout article`.
  public var framesRepeated: UInt64
  /// Frames of a broadcast that was over, received more than 0.5 s after their publication. A number above 0 is a bug.
  public var framesStale: UInt64
  /// With `--verify`: frames of the pattern `proof` with bytes of another frame or place, or of no frame.
  public var framesTorn: UInt64
  /// With `--verify`: frames without the pattern.
  public var framesWithoutProof: UInt64
  /// ``framesTorn`` and ``framesWithoutProof`` together.
  public var framesFailed: UInt64
  /// With `--verify`: frames that were proven intact.
  public var framesVerified: UInt64
  /// Reads that were discarded because the extension overwrote the slot.
  public var readsOvertaken: UInt64
  /// Changes of the flag.
  public var statusChanges: UInt64
  /// Polls for a new frame.
  public var polls: UInt64
  /// Polls per second.
  public var pollsPerSecond: Double
  /// Polls that were skipped because the previous one took too long.
  public var missedTicks: UInt64
  /// Frames received per second.
  public var framesPerSecond: Double
  /// The time in seconds from when the app saw the flag true to its last poll. The app sees the end late, so a short watch
  /// has lower rates.
  public var secondsActive: Double
  /// The time from the capture of frames to their arrival.
  public var ageMs: Delays
  /// The time from the publication of frames to the reads that found them.
  public var handOffMs: Delays
  /// The app audio; `nil` if no packet came.
  public var appAudio: Audio?
  /// The microphone; `nil` if no packet came.
  public var microphone: Audio?
  /// The end of the newest audio minus the capture time of the newest frame (Docs/CommandLine.md#audio-of-a-watch); `p99` and
  /// `max` are of its absolute value. `nil` without frames or audio.
  public var avOffsetMs: Delays?

  /// The statistics of one audio stream.
  public typealias Audio = AudioState

  /// Whether frames were received, and all of them whole and once.
  package var isWhole: Bool {
    framesDelivered > 0 && framesVerified == framesDelivered && framesTorn == 0 && framesRepeated == 0
      && framesStale == 0
  }

  /// The frames of the screen while the app was there, received or not.
  package var framesOfScreen: UInt64 { framesDelivered &+ framesSkipped &+ framesDropped }

  /// Percentiles of delays, in milliseconds.
  public struct Delays: Codable, Equatable, Sendable {
    /// The median.
    public var p50: Double
    /// The delay that 99 of 100 do not exceed.
    public var p99: Double
    /// The maximum.
    public var max: Double
  }
}

extension AppSummary.Delays {
  init(_ delays: DelayHistogram.Percentiles) { self.init(p50: delays.p50, p99: delays.p99, max: delays.max) }
}

extension AppSummary {
  package init(_ state: BroadcastState, _ delays: FrameDelays = FrameDelays()) {
    let seconds = state.timePolled / .seconds(1)
    // The timer does not make the poll at the end of a broadcast, so a frame that this poll finds is not a frame of a tick.
    let framesOfTicks = min(state.frames.framesDelivered, state.ticks)
    self.init(
      framesDelivered: state.frames.framesDelivered, framesSkipped: state.frames.framesSkipped,
      framesDropped: state.framesDropped,
      framesRepeated: state.frames.framesRepeated + state.framesShownAgain, framesStale: state.framesStale,
      framesTorn: state.framesTorn, framesWithoutProof: state.framesWithoutProof,
      framesFailed: state.framesTorn + state.framesWithoutProof,
      framesVerified: state.framesVerified, readsOvertaken: state.frames.readsOvertaken,
      statusChanges: state.statusChanges, polls: state.frames.polls,
      pollsPerSecond: seconds > 0 ? Double(state.ticks) / seconds : 0, missedTicks: state.missedTicks,
      framesPerSecond: seconds > 0 ? Double(framesOfTicks) / seconds : 0, secondsActive: seconds,
      ageMs: Delays(.init(delays.ages)), handOffMs: Delays(.init(delays.handOffs)),
      appAudio: state.appAudio, microphone: state.microphone,
      avOffsetMs: DelayHistogram.Percentiles(magnitudesOf: delays.avOffsets).map(Delays.init))
  }
}
