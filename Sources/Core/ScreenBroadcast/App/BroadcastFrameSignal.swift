import Dispatch
import Foundation
import Platform
import SharedMemory
import Synchronization

/// A timer that ticks when a frame arrives, where the article's app polls 30 times per second.
///
/// ```swift
/// let signal = BroadcastFrameSignal(container: container)
/// let context = BroadcastBufferContext(container: container, framePollTimer: signal, isWoken: true)
/// ```
/// It ticks on a thread of its own. The thread sleeps in the ring, where the writer wakes it, or for one interval at a time
/// while there is no ring.
public final class BroadcastFrameSignal: RepeatingTimer {
  private let path: String
  private let clock: any MonotonicClock
  private let ticks = Ticks()

  /// What the signal shares with its threads. They do not retain the signal, and end when it is released.
  private final class Ticks: Sendable {
    private let state = Mutex(State())

    private struct State {
      /// Counts the starts and cancels. The thread of another generation ends.
      var generation = 0
      var schedule: TickSchedule?
    }

    var schedule: TickSchedule? { state.withLock { $0.schedule } }

    /// Begins a generation. Returns its number.
    func begin(_ schedule: TickSchedule) -> Int {
      state.withLock { state in
        state.generation += 1
        state.schedule = schedule
        return state.generation
      }
    }

    func cancel() { state.withLock { $0.generation += 1 } }

    func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

    func count(_ generation: Int, at time: MonotonicTime) {
      state.withLock { state in
        if state.generation == generation { state.schedule?.begin(at: time) }
      }
    }
  }

  /// The longest sleep. After it the thread checks for a cancel and for another ring.
  private static let longestSleep = Duration.milliseconds(100)

  /// A signal for the frames of a container, which may not exist yet.
  public init(container: AppGroupContainer, clock: any MonotonicClock = SystemClock()) {
    path = container.framesFile
    self.clock = clock
  }

  deinit { cancel() }

  /// The ticks since the last start.
  public var schedule: TickSchedule? { ticks.schedule }

  /// Starts ticking at every frame; while there is no ring, once per `interval`.
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    let (path, clock, ticks) = (path, clock, ticks)
    let generation = ticks.begin(TickSchedule(start: clock.now, interval: interval))
    let thread = Thread {
      var wait = Wait(path: path, interval: interval, clock: clock)
      while ticks.isCurrent(generation) {
        guard wait.sleep(), ticks.isCurrent(generation) else { continue }
        let now = clock.now
        tick()
        // After the tick, which should come as soon as the thread wakes.
        ticks.count(generation, at: now)
      }
    }
    thread.name = "frame signal"
    thread.start()
  }

  /// Stops ticking. A tick in progress continues to its end.
  public func cancel() { ticks.cancel() }

  /// The state of the thread. Errors of the ring are not reported here: the reader of the frames opens the
  /// same file in the same way, and reports them.
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
        // Another file is at the path only after the last frame of this one.
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
