/// Whether a broadcast runs, as the app and its extension tell each other.
public protocol BroadcastStatusManager: AnyObject, Sendable {
  /// Whether the flag says that a broadcast runs.
  var status: Bool { get throws(KeyValueFile.Failure) }

  /// Says that a broadcast runs.
  func start() throws(KeyValueFile.Failure)

  /// Says that the broadcast is over. From the app's side this is the request to stop it.
  func stop() throws(KeyValueFile.Failure)

  /// Starts telling `subscriber` of changes from the present value on. It is held weakly, and it is the only one.
  func subscribe(_ subscriber: any BroadcastStatusSubscriber)
}

/// Who wants to know when a broadcast begins or ends.
public protocol BroadcastStatusSubscriber: AnyObject, Sendable {
  /// The status is now `status`, and it was not before.
  func onChange(status: Bool)

  /// The status can be read again.
  func onRecovery()

  /// The status cannot be read. Told once until it can be again; the last status stands meanwhile.
  func onFailure(_ failure: KeyValueFile.Failure)
}

extension BroadcastStatusSubscriber {
  /// Does nothing.
  public func onRecovery() {}

  /// Does nothing: the last status stands.
  public func onFailure(_ failure: KeyValueFile.Failure) {}
}
