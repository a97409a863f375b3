import Platform
import ScreenBroadcast
import Synchronization

/// Shares one timer among several polls with the same interval. A tick wakes two threads, so it costs more than a poll.
///
/// ```swift
/// let timer = SharedTimer(DispatchTimer(queue: .main))
/// let (frames, audio) = (timer.part(), timer.part())
/// ```
/// The parts fire in the order of their creation. The timer runs while at least one part runs.
final class SharedTimer: Sendable {
  private let timer: any RepeatingTimer
  private let ticks = Mutex<[(@Sendable () -> Void)?]>([])

  init(_ timer: any RepeatingTimer) { self.timer = timer }

  /// Creates another part of the timer.
  func part() -> any RepeatingTimer {
    ticks.withLock { ticks in
      ticks.append(nil)
      return Part(shared: self, index: ticks.count - 1)
    }
  }

  private func set(_ index: Int, every interval: Duration, _ tick: (@Sendable () -> Void)?) {
    // Hold the lock, so that a start and a cancellation on two threads reach the timer in order.
    ticks.withLock { ticks in
      let wasRunning = ticks.contains { $0 != nil }
      ticks[index] = tick
      let runs = ticks.contains { $0 != nil }
      if !runs { timer.cancel() }
      if runs, !wasRunning { timer.start(every: interval) { [weak self] in self?.run() } }
    }
  }

  private func run() {
    // Take the lock for each part, because a tick may cancel the parts after it.
    for index in ticks.withLock({ $0.indices }) { ticks.withLock { $0[index] }?() }
  }

  private final class Part: RepeatingTimer {
    private let shared: SharedTimer
    private let index: Int

    init(shared: SharedTimer, index: Int) {
      self.shared = shared
      self.index = index
    }

    func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
      shared.set(index, every: interval, tick)
    }

    func cancel() { shared.set(index, every: .zero, nil) }

    var schedule: TickSchedule? { shared.timer.schedule }
  }
}
