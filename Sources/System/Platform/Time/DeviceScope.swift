/// What an emulated device gives to the code that it runs in this process, instead of the system's own.
///
/// It holds for a call and for the tasks begun in it, so that several devices of one process do not meet.
package struct DeviceScope: Sendable {
  /// The clock of the samples' time stamps.
  package let clock: any MonotonicClock
  /// The folder of the app groups' containers.
  package let containerRoot: String

  /// That of the present call; `nil` outside of an emulated device with a clock of its own.
  @TaskLocal package static var current: DeviceScope?

  package init(clock: any MonotonicClock, containerRoot: String) {
    (self.clock, self.containerRoot) = (clock, containerRoot)
  }

  /// The clock of the samples' time stamps: that of the device, else the system's.
  package static var hostClock: any MonotonicClock { current?.clock ?? SystemClock() }
}
