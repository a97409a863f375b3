import Dispatch
import Foundation
import Platform
import SharedMemory
import Synchronization

/// A timer that ticks when a frame arrives, where the article's app polls 30 times per second.
///
/// ```swift
/// let signal = BroadcastFrameSignal(container: container, mode: .wake)
/// let context = BroadcastBufferContext(container: container, framePollTimer: signal, isWoken: true)
/// ```
/// It ticks on a thread of its own. The thread sleeps in the ring, where the writer wakes it, or for one interval at a time
/// while there is no ring.
public final class BroadcastFrameSignal: RepeatingTimer {
  /// How the thread waits for the next frame.
  public enum Mode: String, CaseIterable, Sendable {
    /// It sleeps until the writer wakes it. This costs almost nothing, and is as late as a thread takes to wake.
    case wake
    /// It sleeps until shortly before the frame is due, then spins. This is late by microseconds, and costs some percent of
    /// a core. While frames arrive irregularly, it sleeps.
    case early
  }

  private let path: String
  private let mode: Mode
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
  /// How long before a frame is due the thread wakes. A sleep may last 0.1 ms too long, and the frame may arrive equally
  /// early.
  private static let lead = Duration.microseconds(400)
  /// How long after a frame was due the thread stays awake.
  private static let spin = Duration.milliseconds(1)

  /// A signal for the frames of a container, which may not exist yet.
  public init(container: AppGroupContainer, mode: Mode, clock: any MonotonicClock = SystemClock()) {
    path = container.framesFile
    self.mode = mode
    self.clock = clock
  }

  deinit { cancel() }

  /// The ticks since the last start.
  public var schedule: TickSchedule? { ticks.schedule }

  /// Starts ticking at every frame; while there is no ring, once per `interval`.
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    let (path, mode, clock, ticks) = (path, mode, clock, ticks)
    let generation = ticks.begin(TickSchedule(start: clock.now, interval: interval))
    let thread = Thread {
      if mode == .early { SystemClock.sleepPrecisely() }
      var wait = Wait(path: path, mode: mode, interval: interval, clock: clock)
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

  /// The state of the thread. Errors of the ring are not reported here: the reader of the frames meets and reports the same.
  private struct Wait {
    let path: String
    let mode: Mode
    let interval: Duration
    let clock: any MonotonicClock
    var reader: FrameRingReader?
    var prediction = FramePrediction()

    /// Sleeps once. Returns whether it is time to poll.
    mutating func sleep() -> Bool {
      guard let reader = reader ?? open() else {
        clock.wait(until: clock.now + interval)
        return true
      }
      if mode == .early, let due = prediction.next, due > clock.now {
        clock.wait(until: due - BroadcastFrameSignal.lead)
        let end = due + BroadcastFrameSignal.spin
        while !reader.hasNewFrame, clock.now < end {}
      }
      guard reader.wait(until: clock.now + BroadcastFrameSignal.longestSleep, clock: clock) else {
        // Another file is at the path only after the last frame of this one.
        if !isCurrent(reader) { self.reader = nil }
        return false
      }
      // The time of publishing: with the time of receipt, one late wake-up would delay the prediction for good.
      if mode == .early, let time = publishTime(reader) { prediction.addFrame(at: time) }
      reader.skip(through: reader.framesPublished)
      return true
    }

    private func publishTime(_ reader: FrameRingReader) -> MonotonicTime? {
      do { return try reader.next { stamp, _ in stamp.publishTime } } catch { return nil }
    }

    private mutating func open() -> FrameRingReader? {
      do { reader = try FrameRingReader(path: path, registers: true) } catch { reader = nil }
      if reader?.state == .finished { reader = nil }
      prediction = FramePrediction()
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

/// Predicts when the next frame is due, from the times at which the last ones were published.
struct FramePrediction {
  private var last: MonotonicTime?
  /// The smoothed time between two frames, in nanoseconds.
  private var period: Double?
  /// The number of consecutive frames that were published when they were due.
  private var regular = 0

  /// Frames further apart than this have no regular period.
  private static let longestPeriod = Duration.milliseconds(200)
  /// Regular frames that are required for a prediction.
  private static let needed = 4

  mutating func addFrame(at time: MonotonicTime) {
    defer { last = time }
    guard let last, time > last, time - last <= Self.longestPeriod else {
      (period, regular) = (nil, 0)
      return
    }
    let gap = Double(time.nanoseconds(since: last))
    guard let period, abs(gap - period) < period / 4 else {
      (period, regular) = (gap, 0)
      return
    }
    self.period = period + (gap - period) / 8
    regular += 1
  }

  /// When the next frame is due; `nil` while frames arrive irregularly.
  var next: MonotonicTime? {
    guard let last, let period, regular >= Self.needed else { return nil }
    return last + .nanoseconds(Int64(period))
  }
}
