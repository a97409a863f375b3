import CommandLineSupport
import Platform
import ScreenBroadcast

/// The result of a watch. Its properties are the keys of the JSON event `summary`.
package struct WatchSummary: JSONEvent, Equatable, Sendable {
  package static let event = "summary"
  /// Frames that the app received.
  package var framesDelivered: UInt64
  /// Frames that were replaced between two polls.
  package var framesSkipped: UInt64
  /// Frames that the extension received in its last session and could not publish.
  package var framesDropped: UInt64
  /// Frames that the app received more than once.
  package var framesRepeated: UInt64
  /// Frames that failed the verification.
  package var framesTorn: UInt64
  /// Frames that passed the verification.
  package var framesVerified: UInt64
  /// Reads that were repeated because the extension overtook them.
  package var readsOvertaken: UInt64
  /// Changes of the flag.
  package var statusChanges: UInt64
  /// Polls for a frame.
  package var polls: UInt64
  /// Polls per second of an active broadcast.
  package var pollsPerSecond: Double
  /// Polls that were skipped because the one before took too long.
  package var missedTicks: UInt64
  /// Frames that the app received per second of an active broadcast.
  package var framesPerSecond: Double
  /// The seconds of active broadcasts.
  package var secondsActive: Double
  /// Frames whose lease was revoked.
  package var framesTakenBack: UInt64
  /// The ages of the frames on arrival.
  package var ageMs: Delays
  /// The delays from the publication of frames to the reads that found them.
  package var handOffMs: Delays
  /// The audio of apps; `nil` if none came.
  package var appAudio: Audio?
  /// The audio of the microphone; `nil` if none came.
  package var microphone: Audio?
  /// The newest audio against the newest frame; `nil` without both.
  package var avOffsetMs: Offsets?

  /// Percentiles of delays, in milliseconds.
  package struct Delays: Equatable, Sendable, Encodable {
    package var p50: Double
    package var p99: Double
    package var max: Double

    init(_ delays: DelayHistogram) {
      p50 = delays.percentile(0.5)
      p99 = delays.percentile(0.99)
      max = delays.maximum
    }
  }

  /// The result of one audio stream; see ``AudioState``.
  package struct Audio: Encodable, Equatable, Sendable {
    package var framesReceived: UInt64
    package var gaps: UInt64
    package var framesLost: UInt64
    package var packetsDropped: UInt64
    package var peakDb: Double
    package var driftMs: Double
    package var marks: UInt64
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

  /// How much later than the newest frame the newest audio was recorded, in milliseconds.
  package struct Offsets: Encodable, Equatable, Sendable {
    package var p50: Double
    /// The size that 99 of 100 did not exceed, whatever the sign.
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

  package init(_ state: BroadcastState, _ delays: FrameDelays = FrameDelays()) {
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
    let seconds = state.timePolled / .seconds(1)
    secondsActive = seconds
    pollsPerSecond = seconds > 0 ? Double(state.ticks) / seconds : 0
    // The poll at the end of a broadcast is not one of the timer, nor is a frame it finds.
    let framesOfTicks = min(state.frames.framesDelivered, state.ticks)
    framesPerSecond = seconds > 0 ? Double(framesOfTicks) / seconds : 0
    framesTakenBack = state.framesTakenBack
    ageMs = Delays(delays.ages)
    handOffMs = Delays(delays.handOffs)
    appAudio = state.appAudio.map(Audio.init)
    microphone = state.microphone.map(Audio.init)
    avOffsetMs = Offsets(delays.avOffsets)
  }
}
