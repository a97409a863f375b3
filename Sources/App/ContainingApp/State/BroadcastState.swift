import CommandLineSupport
import MemoryKillRecord
import ScreenBroadcast
import TestPatterns

/// All the app knows of the broadcast at one moment.
package struct BroadcastState: Equatable, Sendable {
  /// Where the broadcast is in its life.
  package enum Phase: Equatable, Sendable {
    /// Nothing comes yet.
    case waiting
    /// Frames come.
    case live
    /// The person paused the broadcast.
    case paused
    /// The extension's process is stopped; frames come when it goes on.
    case suspended(pid: Int32)
    /// The broadcast is over; the text of the error it ended with, if any.
    case ended(String?)
    /// The extension's process died without ending the broadcast; what it was killed for, where that is known.
    case crashed(pid: Int32, kill: MemoryKill? = nil)
  }

  /// Where the broadcast is in its life.
  package var phase = Phase.waiting
  /// What the flag says.
  package var isActive = false
  /// How often the flag changed.
  package var statusChanges: UInt64 = 0
  /// The shape of the latest frame.
  package var format: FrameFormat?
  /// Which frame came last.
  package var lastFrame: BroadcastFrame.ID?
  /// What came and what did not.
  package var frames: BroadcastBufferContext.Statistics
  /// Frames the extension has published in the present session, read or not.
  package var framesPublished: UInt64 = 0
  /// Frames the extension got in the present session and could not publish.
  package var framesDropped: UInt64 = 0
  /// Frames that were proven whole, when asked for.
  package var framesVerified: UInt64 = 0
  /// Frames that were whole and new by their stamp, but showed a picture that had come before.
  package var framesShownAgain: UInt64 = 0
  /// Frames that were not whole.
  package var framesTorn: UInt64 = 0
  /// What was wrong with the first frame that was not whole.
  package var firstTear: String?
  /// Polls that the timer made.
  package var ticks: UInt64 = 0
  /// Polls that were skipped because the one before them took too long.
  package var missedTicks: UInt64 = 0
  /// How long frames were polled, in seconds, up to the last poll.
  package var secondsPolled = 0.0
  /// Frames that the app held for so long that the extension took them back.
  package var framesTakenBack: UInt64 = 0
  /// The age of the latest frame, in milliseconds.
  package var lastAge = 0.0
  /// The sound of the apps; `nil` before any came.
  package var appAudio: AudioState?
  /// The sound of the microphone; `nil` before any came.
  package var microphone: AudioState?
  /// What was first found wrong with the sound, when it was to be checked.
  package var soundFault: String?
  /// What is wrong, while something is.
  package var failure: BroadcastFailure?
  /// What happened last to a capture within the app; `nil` for a broadcast.
  package var capture: CaptureChange?

  init() { frames = BroadcastBufferContext.Statistics() }

  /// Counts what the check of a frame came to, where `last` is the session and the number of the frame proven last.
  mutating func count(
    _ verdict: ProofVerdict, of session: UInt64, after last: inout (session: UInt64, number: UInt32)?
  ) {
    guard case .whole(let number) = verdict else {
      framesTorn += 1
      if firstTear == nil { firstTear = verdict.description }
      return
    }
    framesVerified += 1
    if let last, last.session == session, number <= last.number { framesShownAgain += 1 }
    last = (session, number)
  }
}
