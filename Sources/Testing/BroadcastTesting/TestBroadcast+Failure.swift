extension TestBroadcast {
  /// Why a call of a test broadcast failed. The description has the timeline before it.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Reason: Sendable, Equatable {
      /// The broadcast cannot be set up: a wrong option, a missing file or program.
      case cannotStart
      /// The handler ended the broadcast before its first frame.
      case handlerRefused(BroadcastEnd)
      /// The broadcast has not ended in time.
      case notFinished
      /// A call of the handler has not returned for a long time.
      case handlerHangs
      /// There is no such event, or it cannot happen now.
      case eventRefused
      /// The fault is possible only with processes.
      case needsProcesses
      /// A fault could not be made: a missing file, a process that has ended.
      case faultImpossible
      /// There are no figures: the app has not run, or has not written them.
      case noSummary
    }

    /// The kind of the failure.
    public let reason: Reason
    /// What failed and the way out, then the timeline.
    public let description: String

    init(_ reason: Reason, _ text: String, _ log: EventLog) {
      self.reason = reason
      description = text + "\n\(log.timeline)"
    }
  }
}
