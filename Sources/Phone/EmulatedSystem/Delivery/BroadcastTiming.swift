import Causes
import Dispatch
import Platform
import ScreenBroadcast

/// How long a broadcast has run, was paused, and delivered frames. A clock that goes back adds nothing.
struct BroadcastTiming {
  private(set) var start = MonotonicTime.zero
  private var end: MonotonicTime?
  private var pauseStart: MonotonicTime?
  private var pauses = Duration.zero
  /// The time of the newest frame, moved by the pauses since.
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

  /// Ends the broadcast: ``elapsed(at:)`` and ``paused(at:)`` stop growing.
  mutating func finish(at time: MonotonicTime) { end = time }

  /// The time since the start, pauses included.
  func elapsed(at time: MonotonicTime) -> Duration { Self.span(from: start, to: end ?? time) }

  func paused(at time: MonotonicTime) -> Duration {
    pauses + (pauseStart.map { Self.span(from: $0, to: end ?? time) } ?? .zero)
  }

  /// The time from `start` to `end`, at least zero.
  static func span(from start: MonotonicTime, to end: MonotonicTime) -> Duration { max(.zero, end - start) }
}

/// Which of the frames that are due are taken.
struct BroadcastPacing {
  /// No frame is due before this time.
  var stillUntil = MonotonicTime.zero
  var framesToSkip = 0
  /// The number of frames that are taken together, when the last of them is due.
  var burstSize = 0
  /// The due times of the frames of an unfinished burst.
  var held: [MonotonicTime] = []
  var lastFrame = MonotonicTime.zero
  /// Frames that were due and not taken, by reason.
  var dropped = SecondEvent()

  /// Skips the frames of an unfinished burst.
  mutating func dropHeld() {
    dropped.framesLeftOut += UInt64(held.count)
    (held, burstSize) = ([], 0)
  }
}

/// The clock of the emulated device and the timers that follow it: the system's, or those of a test or a simulation.
///
/// Every wait and every timer of the emulated system comes from here. The time limits of the control socket do not:
/// they apply to another process.
package struct DeviceTime: Sendable {
  /// Gives the capture times of the samples and the times of events.
  package let clock: any MonotonicClock
  /// Makes a timer that ticks on a queue.
  package let makeTimer: @Sendable (DispatchQueue) -> any RepeatingTimer

  /// Runs a function on a queue, when the work of a group has ended if there is one. A simulation waits for what it runs.
  package typealias Enqueue =
    @Sendable (DispatchQueue, DispatchGroup?, @escaping @Sendable () -> Void) ->
    Void
  package let enqueue: Enqueue
  /// The time for which the calling thread was ready and no processor ran it.
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
