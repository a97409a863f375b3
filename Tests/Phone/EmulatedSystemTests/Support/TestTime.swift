import TestSupport

@testable import EmulatedSystem

/// The time of an emulated device in a test: a clock that the test advances, and timers that it ticks.
struct TestTime {
  let clock: TestClock
  /// The timers, in the order in which the device created them.
  private let made = Recorder<ManualTimer>()
  private let delivering = Recorder<DispatchQueue>()
  /// The total run-queue delay of every thread; the last value counts.
  let processorDelays = Recorder<Duration>()

  init(at start: MonotonicTime = 1_000) { clock = TestClock(at: start) }

  var device: DeviceTime {
    DeviceTime(clock: clock) { [made] _ in
      let timer = ManualTimer()
      made.add(timer)
      return timer
    } enqueue: { [delivering] queue, group, body in
      if queue.label == "broadcast.delivery" { delivering.add(queue) }
      if let group { group.notify(queue: queue, execute: body) } else { queue.async(execute: body) }
    } processorDelay: { [processorDelays] in
      processorDelays.values.last ?? .zero
    }
  }

  /// The queue of the handler's calls. Suspend it to simulate a host that has no thread for them.
  var delivery: DispatchQueue { delivering.values[0] }

  var frames: ManualTimer { made.values[0] }
  var checks: ManualTimer { made.values[1] }
}
