import Platform

/// The broadcast status, a flag that the app and its extension share.
public protocol BroadcastStatusManager: AnyObject, Sendable {
  /// Whether a broadcast is running: the flag is on.
  var status: Bool { get throws(FileError) }

  /// Turns the flag on, because a broadcast starts.
  func start() throws(FileError)

  /// Turns the flag off. The extension does so when the broadcast is over; the app does so to request the end.
  func stop() throws(FileError)

  /// Starts reporting changes to `subscriber`, beginning with the next change. The subscriber is held weakly and replaces an
  /// earlier one.
  func subscribe(_ subscriber: any BroadcastStatusSubscriber)
}

/// Receives the start and the end of broadcasts, on the thread on which the manager's timer ticks.
public protocol BroadcastStatusSubscriber: AnyObject, Sendable {
  /// The status has changed to `status`.
  func onChange(status: Bool)

  /// The status was read. Called at each successful poll, before a change is reported.
  func onPoll()

  /// The status can be read again after a failure.
  func onRecovery()

  /// The status cannot be read; the last one remains valid. Reported once for each reason. The first report may come from within
  /// `subscribe`, on the thread of its caller.
  func onFailure(_ failure: FileError)
}

extension BroadcastStatusSubscriber {
  /// Does nothing.
  public func onPoll() {}

  /// Does nothing.
  public func onRecovery() {}

  /// Does nothing.
  public func onFailure(_ failure: FileError) {}
}
