import CommandLineSupport
import MemoryKillRecord
import ScreenBroadcast
import TestPatterns

/// All the app knows of the broadcast at one moment.
public struct BroadcastState: Equatable, Sendable {
  /// Where the broadcast is in its life.
  public enum Phase: Equatable, Sendable {
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
  public var phase = Phase.waiting
  /// What the flag says.
  public var isActive = false
  /// How often the flag changed.
  public var statusChanges: UInt64 = 0
  /// The shape of the latest frame.
  public var format: FrameFormat?
  /// Which frame came last.
  public var lastFrame: BroadcastFrame.ID?
  /// What came and what did not.
  public var frames: BroadcastBufferContext.Statistics
  /// Frames the extension has published in the present session, read or not.
  public var framesPublished: UInt64 = 0
  /// Frames the extension got in the present session and could not publish.
  public var framesDropped: UInt64 = 0
  /// Frames that were proven whole, when asked for.
  public var framesVerified: UInt64 = 0
  /// Frames that were whole and new by their stamp, but showed a picture that had come before.
  public var framesShownAgain: UInt64 = 0
  /// Frames that were not whole.
  public var framesTorn: UInt64 = 0
  /// What was wrong with the first frame that was not whole.
  public var firstTear: String?
  /// Polls that the timer made.
  public var ticks: UInt64 = 0
  /// Polls that were skipped because the one before them took too long.
  public var missedTicks: UInt64 = 0
  /// How long frames were polled, in seconds, up to the last poll.
  public var secondsPolled = 0.0
  /// Frames that the app held for so long that the extension took them back.
  public var framesTakenBack: UInt64 = 0
  /// The age of the latest frame, in milliseconds.
  public var lastAge = 0.0
  /// The sound of the apps; `nil` before any came.
  public var appAudio: AudioState?
  /// The sound of the microphone; `nil` before any came.
  public var microphone: AudioState?
  /// What was first found wrong with the sound, when it was to be checked.
  public var soundFault: String?
  /// What is wrong, while something is.
  public var failure: BroadcastFailure?
  /// What happened last to a capture within the app; `nil` for a broadcast.
  public var capture: CaptureChange?

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
