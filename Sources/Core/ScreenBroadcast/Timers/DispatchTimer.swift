import Dispatch
import EmulatedDevice
import Platform
import Synchronization

/// Calls a function repeatedly. It separates the schedule from the function that it runs.
public protocol RepeatingTimer: AnyObject, Sendable {
  /// Starts calling `tick` once per `interval`, for the first time after one interval. Replaces an earlier start.
  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void)

  /// Stops calling. A call in progress is completed.
  func cancel()

  /// The ticks since the last start; `nil` if the timer does not count them.
  var schedule: TickSchedule? { get }
}

extension RepeatingTimer {
  /// `nil`, because the timer does not count its ticks.
  public var schedule: TickSchedule? { nil }

  /// Starts a timer of the main queue.
  package func startOnMain(every interval: Duration, _ tick: @escaping @MainActor @Sendable () -> Void) {
    start(every: interval) { MainActor.assumeIsolated { tick() } }
  }
}

/// A clock that runs timers itself, in its own time (such as a virtual clock).
package protocol TimerClock: MonotonicClock {
  func makeTimer(on queue: DispatchQueue) -> any RepeatingTimer
}

/// A repeating timer on a dispatch queue, with absolute deadlines (see ``TickSchedule``).
///
/// ```swift
/// let framePollTimer = DispatchTimer(queue: queue)
/// framePollTimer.start(every: .seconds(1) / 30) { context.poll() }
/// ```
public final class DispatchTimer: RepeatingTimer {
  private let queue: DispatchQueue
  private let clock: any MonotonicClock
  /// The timer that ticks instead of this one if the emulated device has a ``TimerClock``.
  private let simulation: (any RepeatingTimer)?
  private let state = Mutex(State())
  /// The arguments of the article's initializer; `nil` for a timer whose start has them.
  private let article: (interval: Duration, repeats: Bool, completion: @Sendable () -> Void)?

  private struct State {
    var source: (any DispatchSourceTimer)?
    var schedule: TickSchedule?
    /// Counts cancels, so that a tick of an earlier start has no effect.
    var generation = 0

    mutating func cancel() {
      generation += 1
      source?.cancel()
      source = nil
    }

    func scheduleNext(_ clock: any MonotonicClock) {
      guard let deadline = schedule?.deadline else { return }
      // On Linux, dispatch deadlines use the system's monotonic clock.
      source?.schedule(
        deadline: DispatchTime(uptimeNanoseconds: clock.systemTime(of: deadline).nanoseconds),
        leeway: .nanoseconds(0))
    }
  }

  /// Creates a timer that ticks on `queue` (which should be serial) in the time of `clock`.
  public init(queue: DispatchQueue, clock: any MonotonicClock = SystemClock()) {
    self.queue = queue
    self.clock = clock
    article = nil
    simulation = (Device.current.clock as? any TimerClock)?.makeTimer(on: queue)
  }

  /// Creates a timer in the article's form: ``start()`` calls `completion` after `timeout` seconds, and, if `repeat` is
  /// true, once per `timeout`.
  public init(
    timeout: Double, `repeat`: Bool, completion: @escaping @Sendable () -> Void, queue: DispatchQueue
  ) {
    self.queue = queue
    clock = SystemClock()
    article = (.seconds(timeout), `repeat`, completion)
    simulation = (Device.current.clock as? any TimerClock)?.makeTimer(on: queue)
  }

  deinit { cancel() }

  /// The ticks since the last start (fired, missed, late); `nil` before the first start.
  public var schedule: TickSchedule? { simulation?.schedule ?? state.withLock { $0.schedule } }

  /// Starts ticking, for the first time after one interval. Replaces an earlier start.
  public func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    if let simulation { return simulation.start(every: interval, tick) }
    state.withLock { state in
      state.cancel()
      let generation = state.generation
      let source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
      source.setEventHandler { [weak self] in self?.run(tick, generation: generation) }
      state.source = source
      state.schedule = TickSchedule(start: clock.now, interval: interval)
      state.scheduleNext(clock)
      source.activate()
    }
  }

  /// Starts a timer of the article's form. Without effect for a timer that was created without an interval.
  public func start() {
    guard let article else { return }
    start(every: article.interval) { [weak self] in
      if !article.repeats { self?.cancel() }
      article.completion()
    }
  }

  /// Stops a timer of the article's form.
  public func invalidate() { cancel() }

  /// Stops ticking, and keeps the counts.
  public func cancel() {
    simulation?.cancel()
    state.withLock { $0.cancel() }
  }

  private func run(_ tick: () -> Void, generation: Int) {
    let isDue = state.withLock { state in
      guard state.generation == generation, let deadline = state.schedule?.deadline else { return false }
      let now = clock.now
      guard now >= deadline else {
        state.scheduleNext(clock)
        return false
      }
      state.schedule?.begin(at: now)
      return true
    }
    guard isDue else { return }
    tick()
    state.withLock { state in
      guard state.generation == generation else { return }
      state.schedule?.end(at: clock.now)
      state.scheduleNext(clock)
    }
  }
}
