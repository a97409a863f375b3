import Dispatch
import Platform
import SharedMemory
import Synchronization

/// A timer that ticks when an app group's key-value file changes, and also once per interval.
///
/// ```swift
/// let timer = KeyValueFileSignal(container: container, queue: .main)
/// let status = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: container), timer: timer)
/// ```
/// A change of the status arrives within a millisecond, where the article's poll takes up to half a second. The poll
/// continues beside it: some file systems do not notify of changes.
public final class KeyValueFileSignal: RepeatingTimer {
  private let path: String
  private let queue: DispatchQueue
  private let poll: DispatchTimer
  private let state = Mutex(State())

  private struct State {
    var source: (any DispatchSourceRead)?
    /// Counts the starts and cancels: a tick of an earlier start changes nothing.
    var generation = 0

    mutating func cancel(_ poll: DispatchTimer) {
      generation += 1
      poll.cancel()
      source.take()?.cancel()
    }
  }

  /// A signal of the container's key-value file, which ticks on `queue`.
  public init(
    container: AppGroupContainer, queue: DispatchQueue, clock: any MonotonicClock = SystemClock()
  ) {
    path = container.preferencesFile
    self.queue = queue
    poll = DispatchTimer(queue: queue, clock: clock)
  }

  deinit { cancel() }

  /// Starts ticking: at every change, and once per `interval`.
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.cancel(poll)
      let generation = state.generation
      poll.start(every: interval) { [weak self] in
        self?.state.withLock { self?.watch(&$0, generation, tick) }
        tick()
      }
      watch(&state, generation, tick)
    }
  }

  /// Watches the file, unless it is watched. A folder that does not exist yet is tried again at each poll.
  private func watch(_ state: inout State, _ generation: Int, _ tick: @escaping @Sendable () -> Void) {
    guard state.generation == generation, state.source == nil else { return }
    let watch: FileWatch
    do { watch = try FileWatch(path: path) } catch { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: watch.fileDescriptor, queue: queue)
    source.setEventHandler { [weak self] in
      let hasChanged = watch.takeChanges()
      if watch.hasEnded { self?.endWatch(generation) }
      if hasChanged { tick() }
    }
    // The descriptor must stay open until the source has released it.
    source.setCancelHandler { withExtendedLifetime(watch) {} }
    source.activate()
    state.source = source
  }

  /// The folder was removed; another one may take its place.
  private func endWatch(_ generation: Int) {
    state.withLock { state in
      if state.generation == generation { state.source.take()?.cancel() }
    }
  }

  /// Stops ticking.
  public func cancel() { state.withLock { $0.cancel(poll) } }

  /// The ticks of the poll.
  public var schedule: TickSchedule? { poll.schedule }
}
