import EmulatedSystem
import Platform
import TestSupport

/// The time of an emulated device in a test: a clock that the test advances, and timers that it ticks.
struct TestTime {
  let clock: TestClock
  /// The timers in the order in which the device made them.
  private let made = Recorder<ManualTimer>()

  init(at start: MonotonicTime = 1_000) { clock = TestClock(at: start) }

  var device: DeviceTime {
    DeviceTime(clock: clock) { [made] _ in
      let timer = ManualTimer()
      made.add(timer)
      return timer
    }
  }

  /// The timer of the frames.
  var frames: ManualTimer { made.values[0] }
  /// The timer of audio and events.
  var checks: ManualTimer { made.values[1] }
}
