import Dispatch
import Platform
import ScreenBroadcast

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
  let enqueue: Enqueue

  package init(
    clock: any MonotonicClock = SystemClock(),
    makeTimer: @escaping @Sendable (DispatchQueue) -> any RepeatingTimer = { DispatchTimer(queue: $0) },
    enqueue: @escaping Enqueue = { queue, group, body in
      if let group { group.notify(queue: queue, execute: body) } else { queue.async(execute: body) }
    }
  ) {
    self.clock = clock
    self.makeTimer = makeTimer
    self.enqueue = enqueue
  }
}
