import Synchronization

/// The broadcast status as a flag in the app group's key-value file, polled every half second.
public final class BroadcastStatusManagerImpl: BroadcastStatusManager {
  /// The key of the flag.
  public static let broadcastIsActive = "broadcastIsActive"
  /// How often the article's app and extension look.
  public static let pollInterval = Duration.milliseconds(500)

  private let defaults: KeyValueFile
  private let timer: any RepeatingTimer
  private let interval: Duration
  private let onSetAside: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    weak var subscriber: (any BroadcastStatusSubscriber)?
    var lastStatus = false
    var lastFailure: KeyValueFile.Failure?
  }

  /// A manager that looks once per `interval` when `timer` ticks.
  ///
  /// - Parameter onSetAside: told where a file was moved that was no property list and stood in the way of the
  ///   flag.
  public init(
    defaults: KeyValueFile, timer: any RepeatingTimer, interval: Duration = pollInterval,
    onSetAside: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.defaults = defaults
    self.timer = timer
    self.interval = interval
    self.onSetAside = onSetAside
  }

  deinit { timer.cancel() }

  /// The flag as it stands in the file now.
  public var status: Bool {
    get throws(KeyValueFile.Failure) { try defaults.bool(forKey: Self.broadcastIsActive) }
  }

  /// Sets the flag.
  public func start() throws(KeyValueFile.Failure) { try set(true) }

  /// Clears the flag.
  public func stop() throws(KeyValueFile.Failure) { try set(false) }

  /// The flag as it was seen last; it stands while the file cannot be read. False before ``subscribe(_:)``.
  public var lastStatus: Bool { state.withLock { $0.lastStatus } }

  /// Reads the present value without telling it, then looks once per interval and tells changes.
  public func subscribe(_ subscriber: any BroadcastStatusSubscriber) {
    state.withLock { $0.subscriber = subscriber }
    let present = readOrReport() ?? false
    state.withLock { $0.lastStatus = present }
    timer.start(every: interval) { [weak self] in self?.poll() }
  }

  /// Stops telling the subscriber.
  public func unsubscribe() {
    timer.cancel()
    state.withLock { $0.subscriber = nil }
  }

  /// Looks at the flag once, and tells the subscriber when it changed.
  public func poll() {
    guard let status = readOrReport() else { return }
    let subscriber: (any BroadcastStatusSubscriber)? = state.withLock { state in
      guard state.lastStatus != status else { return nil }
      state.lastStatus = status
      return state.subscriber
    }
    subscriber?.onChange(status: status)
  }

  private func set(_ status: Bool) throws(KeyValueFile.Failure) {
    if let path = try defaults.set(status, forKey: Self.broadcastIsActive) { onSetAside(path) }
  }

  private func readOrReport() -> Bool? {
    do throws(KeyValueFile.Failure) {
      let status = try status
      let subscriber: (any BroadcastStatusSubscriber)? = state.withLock { state in
        state.lastFailure.take() == nil ? nil : state.subscriber
      }
      subscriber?.onRecovery()
      return status
    } catch {
      let subscriber: (any BroadcastStatusSubscriber)? = state.withLock { state in
        defer { state.lastFailure = error }
        return state.lastFailure == error ? nil : state.subscriber
      }
      subscriber?.onFailure(error)
      return nil
    }
  }
}
