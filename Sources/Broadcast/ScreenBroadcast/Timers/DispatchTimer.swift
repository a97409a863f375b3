import Dispatch
import Foundation
import Platform
import Synchronization

/// A repeating timer on a dispatch queue, with absolute deadlines; see ``TickSchedule``.
///
/// ```swift
/// let framePollTimer = DispatchTimer(queue: queue)
/// framePollTimer.start(every: .seconds(1) / 30) { context.poll() }
/// ```
public final class DispatchTimer: RepeatingTimer {
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var source: (any DispatchSourceTimer)?
    var schedule: TickSchedule?
    /// Counts the cancels, so that a tick of an earlier start changes nothing.
    var generation = 0

    mutating func cancel() {
      generation += 1
      source?.cancel()
      source = nil
    }
  }

  /// A timer that ticks on `queue`, which should be serial.
  public init(queue: DispatchQueue) { self.queue = queue }

  deinit { cancel() }

  /// The ticks since the last start: fired, missed, late. `nil` before the first.
  public var schedule: TickSchedule? { state.withLock { $0.schedule } }

  /// Starts ticking, the first time one interval from now; an earlier start is forgotten.
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    let schedule = TickSchedule(start: SystemClock().now, interval: interval)
    state.withLock { state in
      state.cancel()
      let generation = state.generation
      let source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
      source.setEventHandler { [weak self] in self?.run(tick, generation: generation) }
      source.schedule(
        deadline: DispatchTime(uptimeNanoseconds: schedule.deadline.nanoseconds), leeway: .nanoseconds(0))
      source.activate()
      state.source = source
      state.schedule = schedule
    }
  }

  /// Stops ticking; the counts stay.
  public func cancel() { state.withLock { $0.cancel() } }

  private func run(_ tick: () -> Void, generation: Int) {
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.schedule?.begin(at: SystemClock().now)
      return true
    }
    guard isCurrent else { return }
    tick()
    state.withLock { state in
      guard state.generation == generation else { return }
      state.schedule?.end(at: SystemClock().now)
      guard let deadline = state.schedule?.deadline else { return }
      state.source?.schedule(
        deadline: DispatchTime(uptimeNanoseconds: deadline.nanoseconds), leeway: .nanoseconds(0))
    }
  }
}
