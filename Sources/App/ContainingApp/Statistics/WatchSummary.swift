import CommandLineSupport
import ScreenBroadcast

/// What a watch came to. Its properties are the keys of the JSON event `summary`.
package struct WatchSummary: JSONEvent, Equatable, Sendable {
  /// The event's name.
  package static let event = "summary"
  /// Frames the app got.
  package var framesDelivered: UInt64
  /// Frames that came and went between two polls.
  package var framesSkipped: UInt64
  /// Frames the extension got in its last session and could not publish.
  package var framesDropped: UInt64
  /// Frames the app got more than once.
  package var framesRepeated: UInt64
  /// Frames that were not whole.
  package var framesTorn: UInt64
  /// Frames proven whole.
  package var framesVerified: UInt64
  /// Reads thrown away and done again because the extension overtook them.
  package var readsOvertaken: UInt64
  /// How often the flag changed.
  package var statusChanges: UInt64
  /// How often the app looked for a frame.
  package var polls: UInt64
  /// How often per second the app looked, while a broadcast was active.
  package var pollsPerSecond: Double
  /// Polls skipped because the one before them took too long.
  package var missedTicks: UInt64
  /// Frames per second the app got, while a broadcast was active.
  package var framesPerSecond: Double
  /// How long a broadcast was active, in seconds.
  package var secondsActive: Double
  /// Frames held for so long that the extension took them back.
  package var framesTakenBack: UInt64
  /// The ages of the frames on arrival, in milliseconds.
  package var ageMs: Delays
  /// From when frames were published to when the app saw them, in milliseconds.
  package var handOffMs: Delays
  /// The sound of the apps; `nil` when none came.
  package var appAudio: Sound?
  /// The sound of the microphone; `nil` when none came.
  package var microphone: Sound?
  /// Newest sound against newest picture; `nil` without both.
  package var avOffsetMs: Offsets?

  /// Percentiles of delays, in milliseconds.
  package struct Delays: Equatable, Sendable, Encodable {
    /// Half of the frames took at most so long.
    package var p50: Double
    /// Ninety-nine of a hundred frames took at most so long.
    package var p99: Double
    /// The longest.
    package var max: Double

    init(_ delays: DelayHistogram) {
      p50 = delays.percentile(0.5)
      p99 = delays.percentile(0.99)
      max = delays.maximum
    }
  }

  /// What came of one sound.
  package struct Sound: Encodable, Equatable, Sendable {
    /// Frames the app got.
    package var framesReceived: UInt64
    /// Places where frames are missing.
    package var gaps: UInt64
    /// The frames that are missing.
    package var framesLost: UInt64
    /// Packets of the last session that came to the extension and did not travel.
    package var packetsDropped: UInt64
    /// The peak, in decibels below full scale.
    package var peakDb: Double
    /// How far the count of frames ran away from their times at most, in milliseconds.
    package var driftMs: Double
    /// Time marks found.
    package var marks: UInt64
    /// The distance of the worst of them from its second, in milliseconds.
    package var markOffsetMs: Double

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
  package struct Offsets: Encodable, Equatable, Sendable {
    /// The median.
    package var p50: Double
    /// The size that ninety-nine of a hundred did not exceed, whatever their sign.
    package var p99: Double
    /// The largest size.
    package var max: Double

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
