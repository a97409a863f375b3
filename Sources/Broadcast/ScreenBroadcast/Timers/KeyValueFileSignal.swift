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
  private let source = Mutex<(any DispatchSourceRead)?>(nil)

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
    cancel()
    poll.start(every: interval, tick)
    let watch: FileWatch
    // A folder that cannot be watched is polled only.
    do { watch = try FileWatch(path: path) } catch { return }
    source.withLock { current in
      let source = DispatchSource.makeReadSource(fileDescriptor: watch.fileDescriptor, queue: queue)
      source.setEventHandler { if watch.takeChanges() { tick() } }
      // The descriptor must stay open until the source has released it.
      source.setCancelHandler { withExtendedLifetime(watch) {} }
      source.activate()
      current = source
    }
  }

  /// Stops ticking.
  public func cancel() {
    poll.cancel()
    source.withLock { $0.take()?.cancel() }
  }

  /// The ticks of the poll.
  public var schedule: TickSchedule? { poll.schedule }
}
