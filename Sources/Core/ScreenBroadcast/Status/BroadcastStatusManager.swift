import Platform

/// Whether a broadcast runs, as the app and its extension share it.
public protocol BroadcastStatusManager: AnyObject, Sendable {
  /// Whether the flag is on.
  var status: Bool { get throws(FileError) }

  /// Turns the flag on: a broadcast runs.
  func start() throws(FileError)

  /// Turns the flag off: the broadcast is over. From the app's side this is the request to stop it.
  func stop() throws(FileError)

  /// Starts reporting changes to `subscriber`, beginning with the next one. It is held weakly, and replaces an earlier
  /// subscriber.
  func subscribe(_ subscriber: any BroadcastStatusSubscriber)
}

/// Receives the start and the end of broadcasts. The calls come where the manager's timer ticks.
public protocol BroadcastStatusSubscriber: AnyObject, Sendable {
  /// The status has changed to `status`.
  func onChange(status: Bool)

  /// The status was read. Called at each poll that can read it, before a change is reported.
  func onPoll()

  /// The status can be read again.
  func onRecovery()

  /// The status cannot be read; the last one remains valid. Reported once for each reason. The first report may come from
  /// within `subscribe`, on its caller's thread.
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
