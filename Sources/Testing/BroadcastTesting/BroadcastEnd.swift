import EmulatedSystem

/// How a broadcast ended, and the figures of its delivery.
public struct BroadcastEnd: Equatable, Sendable {
  /// One word: `stoppedByApp`, `extensionError`, `endedByExtension`, `stoppedBySystem`, `endOfSource` or `sourceError`, as in
  /// the event `finished` of `producer`; `crashed` for a process that ended without that event.
  public var reason: String
  /// The error with which the handler ended the broadcast; `nil` if it did not.
  public var error: HandlerError?
  /// The time from the start to the end, in seconds, pauses included.
  public var seconds = 0.0
  /// Frames delivered to the handler.
  public var framesProduced: UInt64 = 0
  /// Frames of the screen that were not delivered: five waited already, or no buffer was free.
  public var framesDropped: UInt64 = 0
  /// The frames per second from the first frame to the last, pauses excluded; 0 for fewer than two frames.
  public var framesPerSecond = 0.0
  /// Audio samples that were not delivered.
  public var audioDropped: UInt64 = 0
  /// Uses of the samples that are not allowed; the timeline names them in the events `misuse`.
  public var misuses: UInt64 = 0
  /// Samples that the handler held after `processSampleBuffer(_:with:)` had returned: no misuse, but Apple's documentation
  /// says to keep no reference.
  public var samplesHeld: UInt64 = 0
  /// The exit code of the extension's process; `nil` in process, and for a process that ended by a signal.
  public var exitCode: Int32?

  /// The error of a handler, as another process receives it.
  public struct HandlerError: Equatable, Sendable {
    /// The domain, such as `ScreenShareBroadcastExtension`.
    public var domain: String
    /// The code in that domain.
    public var code: Int
    /// The localized description, which the system's dialog shows.
    public var text: String
  }

  /// The end that an event `finished` describes.
  init(_ event: FinishedEvent) {
    reason = event.reason
    if let domain = event.errorDomain, let code = event.errorCode {
      error = HandlerError(domain: domain, code: code, text: event.errorDescription ?? "")
    }
    (framesProduced, framesDropped) = (event.framesProduced, event.framesDropped)
    (seconds, framesPerSecond) = (event.seconds, event.framesPerSecond)
    (audioDropped, misuses, samplesHeld) = (event.audioDropped, event.misuses, event.samplesHeld)
  }

  /// The end of a process that was killed or crashed.
  init(crash exitCode: Int32?) { (reason, self.exitCode) = ("crashed", exitCode) }
}
