import Dispatch
import Foundation
import Platform
import SharedMemory
import Synchronization

/// A timer that ticks when a frame arrives. The article's app instead polls 30 times per second.
///
/// ```swift
/// let signal = BroadcastFrameSignal(container: container)
/// let context = BroadcastBufferContext(container: container, framePollTimer: signal, isWoken: true)
/// ```
/// It ticks on a separate thread. The thread sleeps in the ring, where the writer wakes it. While there is no ring, it sleeps for
/// one interval at a time.
public final class BroadcastFrameSignal: RepeatingTimer {
  private let path: String
  private let clock: any MonotonicClock
  private let latest = Mutex<Start?>(nil)

  /// A start of the signal. The thread retains this object instead of the signal, and ends when it is cancelled.
  private final class Start: Sendable {
    let isCancelled = Atomic(false)
    let schedule: Mutex<TickSchedule>

    init(_ schedule: TickSchedule) { self.schedule = Mutex(schedule) }
  }

  /// The longest sleep. After it, the thread checks for a cancel and for another ring.
  private static let longestSleep = Duration.milliseconds(100)

  /// Creates a signal for the frames of a container. The container may not exist yet.
  public init(container: AppGroupContainer, clock: any MonotonicClock = SystemClock()) {
    path = container.framesFile
    self.clock = clock
  }

  deinit { cancel() }

  /// The ticks since the last start.
  public var schedule: TickSchedule? { latest.withLock { $0 }?.schedule.withLock { $0 } }

  /// Starts ticking at every frame (once per `interval` while there is no ring).
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    let (path, clock) = (path, clock)
    let start = Start(TickSchedule(start: clock.now, interval: interval))
    latest.withLock { latest in
      latest?.isCancelled.store(true, ordering: .relaxed)
      latest = start
    }
    let thread = Thread {
      var wait = Wait(path: path, interval: interval, clock: clock)
      while !start.isCancelled.load(ordering: .relaxed) {
        guard wait.sleep(), !start.isCancelled.load(ordering: .relaxed) else { continue }
        let now = clock.now
        tick()
        // Count after the tick, so that the tick runs as soon as the thread wakes.
        start.schedule.withLock { $0.begin(at: now) }
      }
    }
    thread.name = "frame signal"
    thread.start()
  }

  /// Stops ticking. A tick in progress is completed.
  public func cancel() { latest.withLock { $0 }?.isCancelled.store(true, ordering: .relaxed) }

  /// The state of the thread. It does not report errors of the ring, because the reader of the frames opens the same file in the
  /// same way and reports them.
  private struct Wait {
    let path: String
    let interval: Duration
    let clock: any MonotonicClock
    var reader: FrameRingReader?

    /// Sleeps once. Returns whether it is time to poll.
    mutating func sleep() -> Bool {
      guard let reader = reader ?? open() else {
        clock.wait(until: clock.now + interval)
        return true
      }
      guard reader.wait(until: clock.now + BroadcastFrameSignal.longestSleep, clock: clock) else {
        // Another file appears at the path only after the last frame of this file.
        if !isCurrent(reader) { self.reader = nil }
        return false
      }
      reader.skip(through: reader.framesPublished)
      return true
    }

    private mutating func open() -> FrameRingReader? {
      do { reader = try FrameRingReader(path: path) } catch { reader = nil }
      if reader?.state == .finished { reader = nil }
      return reader
    }

    private func isCurrent(_ reader: FrameRingReader) -> Bool {
      do {
        return try (reader.state == .live || reader.state == .paused) && reader.isCurrent()
      } catch {
        return false
      }
    }
  }
}
