import Causes
import Dispatch
import Platform
import ScreenBroadcast

/// Measures how long a broadcast has run, was paused, and delivered frames. A clock that goes back adds nothing.
struct BroadcastTiming {
  private(set) var start = MonotonicTime.zero
  private var end: MonotonicTime?
  private var pauseStart: MonotonicTime?
  private var pauses = Duration.zero
  /// The time of the newest frame, shifted by the pauses since then.
  private var lastFrame: MonotonicTime?
  /// The time from the first frame to the newest, without pauses.
  private(set) var framesSpan = Duration.zero

  mutating func begin(at time: MonotonicTime) { start = time }

  mutating func pause(at time: MonotonicTime) { pauseStart = time }

  mutating func resume(at time: MonotonicTime) {
    guard let pauseStart else { return }
    let length = Self.span(from: pauseStart, to: time)
    pauses += length
    lastFrame = lastFrame.map { $0 + length }
    self.pauseStart = nil
  }

  mutating func countFrame(at time: MonotonicTime) {
    if let lastFrame { framesSpan += Self.span(from: lastFrame, to: time) }
    lastFrame = time
  }

  /// Ends the broadcast, so that ``elapsed(at:)`` and ``paused(at:)`` stop growing.
  mutating func finish(at time: MonotonicTime) { end = time }

  /// The time since the start, including pauses.
  func elapsed(at time: MonotonicTime) -> Duration { Self.span(from: start, to: end ?? time) }

  func paused(at time: MonotonicTime) -> Duration {
    pauses + (pauseStart.map { Self.span(from: $0, to: end ?? time) } ?? .zero)
  }

  /// The time from `start` to `end`, at least zero.
  static func span(from start: MonotonicTime, to end: MonotonicTime) -> Duration { max(.zero, end - start) }
}

/// Decides which of the due frames are taken.
struct BroadcastPacing {
  /// No frame is due before this time.
  var stillUntil = MonotonicTime.zero
  var framesToSkip = 0
  /// The number of frames that are taken together when the last one is due; 0 if no burst is in progress.
  var burstSize = 0
  /// The due times of the frames of an unfinished burst.
  var held: [MonotonicTime] = []
  var lastFrame = MonotonicTime.zero
  /// The frames that were due but not taken, by reason.
  var dropped = SecondEvent()

  /// Skips the frames of an unfinished burst.
  mutating func dropHeld() {
    dropped.framesLeftOut += UInt64(held.count)
    (held, burstSize) = ([], 0)
  }
}

/// The clock of the emulated device and the timers that follow it: the system's, a test's or a simulation's.
///
/// Every wait and every timer of the emulated system uses it. The time limits of the control socket do not, because they
/// apply to another process.
package struct DeviceTime: Sendable {
  /// The source of the samples' capture times and of the events' times.
  package let clock: any MonotonicClock
  /// Creates a timer that fires on a queue.
  package let makeTimer: @Sendable (DispatchQueue) -> any RepeatingTimer

  /// Runs a function on a queue, after the work of the group if there is one. A simulation waits for the function.
  package typealias Enqueue =
    @Sendable (DispatchQueue, DispatchGroup?, @escaping @Sendable () -> Void) ->
    Void
  package let enqueue: Enqueue
  /// The run-queue delay of the calling thread in total: how long it was ready without running.
  let processorDelay: @Sendable () -> Duration

  package init() { self.init(clock: SystemClock(), processorDelay: ThreadActivity.processorDelay) }

  package init(
    clock: any MonotonicClock,
    makeTimer: @escaping @Sendable (DispatchQueue) -> any RepeatingTimer = { DispatchTimer(queue: $0) },
    enqueue: @escaping Enqueue = { queue, group, body in
      if let group { group.notify(queue: queue, execute: body) } else { queue.async(execute: body) }
    },
    processorDelay: @escaping @Sendable () -> Duration = { .zero }
  ) {
    self.clock = clock
    self.makeTimer = makeTimer
    self.enqueue = enqueue
    self.processorDelay = processorDelay
  }
}
