import CommandLineSupport
import Platform

/// The broadcast has ended. This is the last event.
public struct BroadcastEnd: FactBody, Equatable {
  package static let event = "finished"
  /// The reason for the end: a word of the table below.
  public var reason: String
  /// The domain of the error with which the handler ended the broadcast.
  package var errorDomain: String?
  /// The code of the error.
  package var errorCode: Int?
  /// The text of the error.
  package var errorDescription: String?
  /// The text of the dialog that a phone shows for the error.
  package var dialog: String?
  /// How long the extension continued to work after the handler's last call, in seconds; `nil` below 0.1 s.
  package var workSeconds: Double?
  /// Frames delivered to the handler.
  public var framesProduced: UInt64 = 0
  /// Frames not delivered, for the reasons of `second`.
  public var framesDropped: UInt64 = 0
  /// Delivered frames of which the handler has read pixels.
  package var framesRead: UInt64 = 0
  /// How often the handler requested the data of delivered audio.
  package var audioReads = 0
  /// Frames that began more than half a frame period late.
  package var lateTicks: UInt64 = 0
  /// Audio samples not delivered: five were waiting, or an overloaded host was late with them.
  public var audioDropped: UInt64 = 0
  /// Misuses of samples.
  public var misuses: UInt64 = 0
  /// The maximum number of buffers that the handler held while no buffer was left for a frame.
  package var buffersHeld: Int?
  /// The maximum age of a frame in these buffers, in seconds.
  package var heldSeconds: Double?
  /// Samples that the handler held after the return (Docs/CommandLine.md#misuse-of-samples).
  public var samplesHeld: UInt64 = 0
  /// The longest time that a sample was held, in seconds.
  package var samplesHeldSeconds: Double?
  /// The duration of the handler's calls with a frame, with the delay of `slow` but without waits for a CPU, in milliseconds.
  package var handlerMs: DelayHistogram.Percentiles = .init(DelayHistogram())
  /// The time from start to end, including pauses, in seconds.
  public var seconds = 0.0
  /// The rate from the first frame to the last, without pauses; 0 for fewer than two frames.
  public var framesPerSecond = 0.0
  /// The exit code of the extension's process; `nil` in process, and if a signal ended the process. Not in JSON.
  public var exitCode: Int32?

  package init(reason: String) { self.reason = reason }

  /// Creates the end of a process whose handler exited, or did not return.
  ///
  /// - Parameter text: what the handler did, as a sentence.
  package init(abnormal reason: String, _ text: String) {
    self.init(reason: reason)
    errorDescription = text
  }

  /// Whether the handler ended the process, or did not return.
  package var isAbnormal: Bool { ["exited", "hung"].contains(reason) }

  /// The error of a handler, as received by another process.
  public struct HandlerError: Equatable, Sendable {
    /// The domain, such as `ScreenShareBroadcastExtension`.
    public var domain: String
    /// The code in that domain.
    public var code: Int
    /// The localized description, which the system's dialog shows.
    public var text: String
  }

  /// The error with which the handler ended the broadcast; `nil` if it did not end the broadcast.
  public var error: HandlerError? {
    guard let errorDomain, let errorCode else { return nil }
    return HandlerError(domain: errorDomain, code: errorCode, text: errorDescription ?? "")
  }
}
