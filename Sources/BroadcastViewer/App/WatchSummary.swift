import CommandLineSupport
import ScreenBroadcast

/// What a watch came to. Its properties are the keys of the JSON event `summary`.
public struct WatchSummary: JSONEvent, Equatable, Sendable {
  /// The event's name.
  public static let event = "summary"
  /// Frames the app got.
  public var framesDelivered: UInt64
  /// Frames that came and went between two polls.
  public var framesSkipped: UInt64
  /// Frames the extension got in its last session and could not publish.
  public var framesDropped: UInt64
  /// Frames the app got more than once.
  public var framesRepeated: UInt64
  /// Frames that were not whole.
  public var framesTorn: UInt64
  /// Frames proven whole.
  public var framesVerified: UInt64
  /// Reads thrown away and done again because the extension overtook them.
  public var readsOvertaken: UInt64
  /// How often the flag changed.
  public var statusChanges: UInt64
  /// How often the app looked for a frame.
  public var polls: UInt64
  /// How often per second the app looked, while a broadcast was active.
  public var pollsPerSecond: Double
  /// Polls skipped because the one before them took too long.
  public var missedTicks: UInt64
  /// Frames per second the app got, while a broadcast was active.
  public var framesPerSecond: Double
  /// How long a broadcast was active, in seconds.
  public var secondsActive: Double
  /// Frames held for so long that the extension took them back.
  public var framesTakenBack: UInt64
  /// The ages of the frames on arrival, in milliseconds.
  public var ageMs: Delays
  /// From when frames were published to when the app saw them, in milliseconds.
  public var handOffMs: Delays

  /// Percentiles of delays, in milliseconds.
  public struct Delays: Equatable, Sendable, Encodable {
    /// Half of the frames took at most so long.
    public var p50: Double
    /// Ninety-nine of a hundred frames took at most so long.
    public var p99: Double
    /// The longest.
    public var max: Double

    init(_ delays: DelayHistogram) {
      p50 = delays.percentile(0.5)
      p99 = delays.percentile(0.99)
      max = delays.maximum
    }
  }

  init(_ state: BroadcastState) {
    framesDelivered = state.frames.framesDelivered
    framesSkipped = state.frames.framesSkipped
    framesDropped = state.framesDropped
    framesRepeated = state.frames.framesRepeated + state.framesShownAgain
    framesTorn = state.framesTorn
    framesVerified = state.framesVerified
    readsOvertaken = state.frames.readsOvertaken
    statusChanges = state.statusChanges
    polls = state.frames.polls
    missedTicks = state.missedTicks
    secondsActive = state.secondsPolled
    let seconds = state.secondsPolled
    pollsPerSecond = seconds > 0 ? Double(state.ticks) / seconds : 0
    // A last look, when the broadcast ends, is none of the timer's, nor is a frame it finds.
    let framesOfTicks = min(state.frames.framesDelivered, state.ticks)
    framesPerSecond = seconds > 0 ? Double(framesOfTicks) / seconds : 0
    framesTakenBack = state.framesTakenBack
    ageMs = Delays(state.ages)
    handOffMs = Delays(state.handOffs)
  }
}
