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
  /// The sound of the apps; `nil` when none came.
  public var appAudio: Sound?
  /// The sound of the microphone; `nil` when none came.
  public var microphone: Sound?
  /// Newest sound against newest picture; `nil` without both.
  public var avOffsetMs: Offsets?

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

  /// What came of one sound.
  public struct Sound: Encodable, Equatable, Sendable {
    /// Frames the app got.
    public var framesReceived: UInt64
    /// Places where frames are missing.
    public var gaps: UInt64
    /// The frames that are missing.
    public var framesLost: UInt64
    /// Packets of the last session that came to the extension and did not travel.
    public var packetsDropped: UInt64
    /// The peak, in decibels below full scale.
    public var peakDb: Double
    /// How far the count of frames ran away from their times at most, in milliseconds.
    public var driftMs: Double
    /// Time marks found.
    public var marks: UInt64
    /// The distance of the worst of them from its second, in milliseconds.
    public var markOffsetMs: Double

    init(_ state: AudioState) {
      framesReceived = state.framesReceived
      gaps = state.gaps
      framesLost = state.framesLost
      packetsDropped = state.packetsDropped
      peakDb = state.peak
      driftMs = state.drift
      marks = state.marks
      markOffsetMs = state.markOffset
    }
  }

  /// How much later than the newest picture the newest sound was taken, in milliseconds.
  public struct Offsets: Encodable, Equatable, Sendable {
    /// The median.
    public var p50: Double
    /// The size that ninety-nine of a hundred did not exceed, whatever their sign.
    public var p99: Double
    /// The largest size.
    public var max: Double

    init?(_ offsets: OffsetHistogram) {
      guard offsets.count > 0 else { return nil }
      p50 = offsets.median
      p99 = offsets.magnitude(0.99)
      max = offsets.maximum
    }
  }

  init(_ state: BroadcastState, _ delays: FrameDelays = FrameDelays()) {
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
    ageMs = Delays(delays.ages)
    handOffMs = Delays(delays.handOffs)
    appAudio = state.appAudio.map(Sound.init)
    microphone = state.microphone.map(Sound.init)
    avOffsetMs = Offsets(delays.avOffsets)
  }
}
