import Dispatch
import Synchronization

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

  /// Runs a function on the main queue after a time of the clock.
  package let runAfter: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  package init(
    clock: any MonotonicClock, containerRoot: String,
    runAfter: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = DeviceScope
      .runByDispatch
  ) {
    (self.clock, self.containerRoot, self.runAfter) = (clock, containerRoot, runAfter)
  }

  /// Runs a function on the main queue of Dispatch after a real time.
  package static let runByDispatch: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = {
    DispatchQueue.main.asyncAfter(deadline: .now() + $0 / .seconds(1), execute: $1)
  }

  /// The clock of the samples' time stamps: that of the device, else the system's.
  package static var hostClock: any MonotonicClock { current?.clock ?? SystemClock() }
}

/// An object of each emulated device of this process, made when it is first used.
package final class DeviceObject<Object: AnyObject & Sendable>: Sendable {
  private let objects = Mutex<[String: Object]>([:])
  private let make: @Sendable (DeviceScope?) -> Object

  package init(_ make: @escaping @Sendable (DeviceScope?) -> Object) { self.make = make }

  /// That of the present device. The devices without a scope of their own are one.
  package var present: Object {
    let device = DeviceScope.current
    return objects.withLock { objects in
      let object = objects[device?.containerRoot ?? ""] ?? make(device)
      objects[device?.containerRoot ?? ""] = object
      return object
    }
  }

  /// That of the device whose containers are above `path`; `nil` if there is none.
  package func above(_ path: String) -> Object? {
    objects.withLock { $0.first { !$0.key.isEmpty && path.hasPrefix($0.key + "/") }?.value }
  }

  /// Forgets the object of the present device; the next use makes a new one.
  package func reset() {
    _ = objects.withLock { $0.removeValue(forKey: DeviceScope.current?.containerRoot ?? "") }
  }
}
