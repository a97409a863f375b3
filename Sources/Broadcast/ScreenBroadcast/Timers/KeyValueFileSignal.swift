import Dispatch
import Platform
import SharedMemory
import Synchronization

/// A schedule that ticks as soon as an app group's key-value file has changed, and besides once per interval.
///
/// ```swift
/// let timer = KeyValueFileSignal(container: container, queue: .main)
/// let status = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: container), timer: timer)
/// ```
/// With it a change of the status is heard of within a millisecond, where the article's poll takes up to half a
/// second. The poll goes on beside it: a folder may be on a file system that tells of no changes.
public final class KeyValueFileSignal: RepeatingTimer {
  private let path: String
  private let queue: DispatchQueue
  private let poll: DispatchTimer
  private let state = Mutex<(any DispatchSourceRead)?>(nil)

  /// A signal of the container's key-value file, which ticks on `queue`.
  public init(container: AppGroupContainer, queue: DispatchQueue) {
    path = container.preferencesFile
    self.queue = queue
    poll = DispatchTimer(queue: queue)
  }

  deinit { cancel() }

  /// Starts ticking: at every change, and once per `interval`.
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    cancel()
    poll.start(every: interval, tick)
    let watch: FileWatch
    // A folder that cannot be watched is polled, as it would be without this class.
    do { watch = try FileWatch(path: path) } catch { return }
    state.withLock { present in
      let source = DispatchSource.makeReadSource(fileDescriptor: watch.fileDescriptor, queue: queue)
      source.setEventHandler { if watch.takeChanges() { tick() } }
      // The descriptor must stay open until the source has let go of it.
      source.setCancelHandler { withExtendedLifetime(watch) {} }
      source.activate()
      present = source
    }
  }

  /// Stops ticking.
  public func cancel() {
    poll.cancel()
    state.withLock { source in
      source?.cancel()
      source = nil
    }
  }

  /// The ticks of the poll beside.
  public var schedule: TickSchedule? { poll.schedule }
}
