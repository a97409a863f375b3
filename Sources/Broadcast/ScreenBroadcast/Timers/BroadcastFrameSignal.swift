import Dispatch
import Foundation
import Platform
import SharedMemory
import Synchronization

/// A schedule that ticks as soon as a frame has come, where the article's app looks thirty times a second.
///
/// ```swift
/// let signal = BroadcastFrameSignal(container: container, mode: .wake)
/// let context = BroadcastBufferContext(container: container, framePollTimer: signal)
/// ```
/// It ticks on a thread of its own, which sleeps meanwhile: in the ring, where the writer wakes it, or while there
/// is no ring, for one interval at a time.
public final class BroadcastFrameSignal: RepeatingTimer {
  /// How the next frame is waited for.
  public enum Mode: String, CaseIterable, Sendable {
    /// Asleep until the writer wakes: costs next to nothing, and comes as late as a thread takes to wake.
    case wake
    /// Asleep until shortly before the frame is due, then awake: comes within microseconds, for some percent of a
    /// core. Frames that come irregularly are waited for asleep.
    case early
  }

  private let path: String
  private let mode: Mode
  private let state = Mutex(State())

  private struct State {
    /// Counts the starts and cancels: a thread whose number it is not any more ends.
    var generation = 0
    var schedule: TickSchedule?
  }

  /// The longest sleep: after it a cancel, or another ring under the name, is seen.
  private static let longestSleep = Duration.milliseconds(100)
  /// How long before a frame is due the thread is awake. A sleep may last some 0.1 ms too long, and
  /// the frame may come as much too early.
  static let lead = Duration.microseconds(400)
  /// How long after a frame was due the thread stays awake.
  static let patience = Duration.milliseconds(1)

  /// A signal for the frames of a container, which need not be there yet.
  public init(container: AppGroupContainer, mode: Mode) {
    path = container.framesFile
    self.mode = mode
  }

  deinit { cancel() }

  /// The ticks since the last start.
  public var schedule: TickSchedule? { state.withLock { $0.schedule } }

  /// Starts ticking at every frame; while there is none to wait for, once per `interval`.
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    let generation = state.withLock { state in
      state.generation += 1
      state.schedule = TickSchedule(start: SystemClock().now, interval: interval)
      return state.generation
    }
    let path = path
    let mode = mode
    let thread = Thread { [weak self] in
      if mode == .early { SystemClock.sleepPrecisely() }
      var wait = Wait(path: path, mode: mode, interval: interval)
      // Between two waits nothing holds the signal: who has let it go has stopped it.
      while self?.isCurrent(generation) == true {
        if wait.sleep() { self?.run(tick, generation: generation) }
      }
    }
    thread.name = "frame signal"
    thread.start()
  }

  /// Stops ticking. A tick under way goes on to its end.
  public func cancel() { state.withLock { $0.generation += 1 } }

  private func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  private func run(_ tick: () -> Void, generation: Int) {
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.schedule?.begin(at: SystemClock().now)
      return true
    }
    if isCurrent { tick() }
  }

  /// What the thread waits with.
  private struct Wait {
    let path: String
    let mode: Mode
    let interval: Duration
    var reader: FrameRingReader?
    var prediction = FramePrediction()

    /// Sleeps once; whether it is time to look for a frame.
    mutating func sleep() -> Bool {
      guard let reader = current() else {
        // No ring, or one that cannot be used: whoever looks for a frame says so.
        SystemClock().wait(until: SystemClock().now + interval)
        return true
      }
      if mode == .early, let due = prediction.next, due > SystemClock().now {
        SystemClock().wait(until: due - BroadcastFrameSignal.lead)
        while !reader.hasNewFrame, SystemClock().now < due + BroadcastFrameSignal.patience {}
      }
      guard reader.wait(until: SystemClock().now + BroadcastFrameSignal.longestSleep) else {
        return false
      }
      // When it was published, not when it was seen: what was seen late once would be expected late ever after.
      if let time = publishTime(reader) { prediction.frameCame(at: time) }
      reader.skip(through: reader.framesPublished)
      return true
    }

    private func publishTime(_ reader: FrameRingReader) -> MonotonicTime? {
      // What is wrong with the ring is told by the reader of the frames, which meets the same.
      do { return try reader.next { stamp, _ in stamp.publishTime } } catch { return nil }
    }

    /// The ring at the path, opened anew when another one is there.
    private mutating func current() -> FrameRingReader? {
      if let reader, reader.state == .live || reader.state == .paused, isCurrent(reader) { return reader }
      // Why there is none is told by the reader of the frames, which meets the same.
      do { reader = try FrameRingReader(path: path, registers: true) } catch { reader = nil }
      if reader?.state == .finished { reader = nil }
      prediction = FramePrediction()
      return reader
    }

    private func isCurrent(_ reader: FrameRingReader) -> Bool {
      do { return try reader.isCurrent() } catch { return false }
    }
  }
}
