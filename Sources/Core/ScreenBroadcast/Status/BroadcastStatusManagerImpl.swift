import Platform
import Synchronization

@_exported import struct Platform.FileError
@_exported import struct Platform.KeyValueFile

/// A broadcast status in the app group's key-value file, polled every half second.
public final class BroadcastStatusManagerImpl: BroadcastStatusManager {
  /// The key of the flag.
  public static let broadcastIsActive = "broadcastIsActive"
  /// The poll interval of the article's app and extension.
  public static let pollInterval = Duration.milliseconds(500)

  private let defaults: KeyValueFile
  private let poller: Poller<any BroadcastStatusSubscriber>
  private let onSetAside: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    /// `nil` from a subscription until the first read.
    var lastStatus: Bool?
    var failure = OncePerReason<FileError>()
  }

  /// Creates a manager that polls when `timer` ticks, once per `interval`.
  ///
  /// - Parameter onSetAside: receives the new path of a damaged file that ``start()`` or ``stop()`` moved aside, on the thread of
  ///   their caller.
  public init(
    defaults: KeyValueFile, timer: any RepeatingTimer, interval: Duration = pollInterval,
    onSetAside: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.defaults = defaults
    self.onSetAside = onSetAside
    poller = Poller(timer: timer, interval: interval)
  }

  /// Whether the flag in the file is on.
  ///
  /// Throws `moved` if the folder of the file was moved or removed, because a missing file there does not mean that the flag is
  /// off.
  public var status: Bool {
    get throws(FileError) {
      let status = try defaults.bool(forKey: Self.broadcastIsActive)
      if !status { try defaults.checkFolder() }
      return status
    }
  }

  /// Turns the flag on.
  public func start() throws(FileError) {
    if let path = try defaults.set(true, forKey: Self.broadcastIsActive) { onSetAside(path) }
  }

  /// Turns the flag off.
  public func stop() throws(FileError) {
    if let path = try defaults.set(false, forKey: Self.broadcastIsActive) { onSetAside(path) }
  }

  /// Whether the flag was on at the last successful poll; `false` before ``subscribe(_:)``.
  public var lastStatus: Bool { state.withLock { $0.lastStatus ?? false } }

  /// Reads the current value without reporting it. Then polls once per interval and reports changes.
  public func subscribe(_ subscriber: any BroadcastStatusSubscriber) {
    // A poll without a previous status reports no change.
    state.withLock { $0.lastStatus = nil }
    poller.start(for: { [weak subscriber] in subscriber }) { [weak self] in self?.poll() }
    poll()
  }

  /// Stops polling.
  public func unsubscribe() { poller.stop() }

  /// Reads the flag once, and reports a change to the subscriber.
  public func poll() {
    let subscriber = poller.subscriber
    do throws(FileError) {
      // Read while holding the lock: if two polls are concurrent, the later read wins.
      let (status, isRecovered, isChanged) = try state.withLock { state throws(FileError) in
        let status = try self.status
        defer { state.lastStatus = status }
        return (status, state.failure.changes(to: nil), state.lastStatus ?? status != status)
      }
      subscriber?.onPoll()
      if isRecovered { subscriber?.onRecovery() }
      if isChanged { subscriber?.onChange(status: status) }
    } catch {
      let isNew = state.withLock { state in
        state.lastStatus = state.lastStatus ?? false
        return state.failure.changes(to: error)
      }
      if isNew { subscriber?.onFailure(error) }
    }
  }
}

extension KeyValueFile {
  /// Opens the key-value file of a container. `clock` times the wait for other writers.
  public init(container: AppGroupContainer, clock: any MonotonicClock = SystemClock()) {
    self.init(folder: container.preferencesFolder, name: "\(container.group).plist", clock: clock)
  }
}
