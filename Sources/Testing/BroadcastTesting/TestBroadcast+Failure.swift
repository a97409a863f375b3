extension TestBroadcast {
  /// The reason why a call of a test broadcast failed. The description includes the timeline up to the failure.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Reason: Sendable, Equatable {
      /// The broadcast cannot be set up: an invalid option, or a missing file or program.
      case cannotStart
      /// The handler ended the broadcast before its first frame.
      case handlerRefused(BroadcastEnd)
      /// The broadcast has not ended in time.
      case notFinished
      /// A call of the handler has not returned for a long time.
      case handlerHangs
      /// The event does not exist, or cannot happen now.
      case eventRefused
      /// The fault is only possible with processes.
      case needsProcesses
      /// The fault could not be applied: a missing file, or a process that has ended.
      case faultImpossible
      /// There are no statistics, because the app has not run or has not written them.
      case noSummary
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The problem and the fix, followed by the timeline.
    public let description: String

    init(_ reason: Reason, _ text: String, _ log: EventLog) {
      self.reason = reason
      description = text + "\n\(log.timeline)"
    }
  }
}
