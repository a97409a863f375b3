import CommandLineSupport
import Platform

/// How a broadcast ended, or its start, and the figures of its delivery: an event of JSON, a fact, and the result of a test.
public struct BroadcastEnd: FactBody, Equatable {
  package static let event = "finished"
  /// One word: `stoppedByApp`, `extensionError`, `endedByExtension`, `stoppedBySystem`, `endOfSource` or `sourceError`, as in
  /// the event `finished` of `producer`; `crashed` for a process that ended without that event.
  public var reason: String
  package var errorDomain: String?
  package var errorCode: Int?
  package var errorDescription: String?
  /// The text of the dialog that a phone shows; `nil` if it shows none.
  package var dialog: String?
  /// How long the extension still worked after the handler's last call; `nil` if it was at rest at once.
  package var workSeconds: Double?
  /// Frames delivered to the handler.
  public var framesProduced: UInt64 = 0
  /// Frames of the screen that were not delivered: five waited already, or no buffer was free.
  public var framesDropped: UInt64 = 0
  /// Frames of which the handler has read pixels.
  package var framesRead: UInt64 = 0
  /// Ticks that came more than half a frame period late.
  package var lateTicks: UInt64 = 0
  /// Audio samples that were not delivered.
  public var audioDropped: UInt64 = 0
  /// Uses of the samples that are not allowed; the timeline names them in the events `misuse`.
  public var misuses: UInt64 = 0
  /// The most buffers that the handler held, and the longest time, when none was left; `nil` if one always was.
  package var buffersHeld: Int?
  package var heldSeconds: Double?
  /// Samples that the handler held after `processSampleBuffer(_:with:)` had returned: no misuse, but Apple's documentation
  /// says to keep no reference.
  public var samplesHeld: UInt64 = 0
  package var samplesHeldSeconds: Double?
  /// How long the handler's calls with a frame took.
  package var handlerMs = DelayHistogram.Percentiles(DelayHistogram())
  /// The time from the start to the end, in seconds, pauses included.
  public var seconds = 0.0
  /// The frames per second from the first frame to the last, pauses excluded; 0 for fewer than two frames.
  public var framesPerSecond = 0.0
  /// The exit code of the extension's process; `nil` in process, and for a process that ended by a signal. Not in JSON.
  public var exitCode: Int32?

  package init(reason: String) { self.reason = reason }

  /// The error of a handler, as another process receives it.
  public struct HandlerError: Equatable, Sendable {
    /// The domain, such as `ScreenShareBroadcastExtension`.
    public var domain: String
    /// The code in that domain.
    public var code: Int
    /// The localized description, which the system's dialog shows.
    public var text: String
  }

  /// The error with which the handler ended the broadcast; `nil` if it did not.
  public var error: HandlerError? {
    guard let errorDomain, let errorCode else { return nil }
    return HandlerError(domain: errorDomain, code: errorCode, text: errorDescription ?? "")
  }

  /// The figures as terminal and report say them.
  package var figures: String {
    "\(framesProduced) frames in \(seconds.text(decimals: 1)) s = \(framesPerSecond.text(decimals: 2)) fps, "
      + "\(framesDropped) dropped, \(lateTicks) late ticks"
  }
}
