import EmulatedDevice
import Foundation
import PhoneLink
import Platform
import ReplayKitCore
import ScreenBroadcast

/// Makes this process the app that the emulated phone leads, and reports what the phone does with it.
///
/// The phone finds the app by a lock in the container. Of several apps in a container it leads the first.
@MainActor
package final class AppLife {
  private let lock: ProcessLock?
  private var observation: DeviceObservation?

  /// Takes the lock of a container that was made, unless another app has it; `report` is called on the main queue.
  package init(
    in container: AppGroupContainer, on device: Device = .current,
    report: @escaping @MainActor (WatchMessage) -> Void
  ) {
    do throws(FileError) { lock = try ProcessLock(path: container.appLockFile) } catch {
      lock = nil
      // Another app of this container has the lock.
      if case .held = error.reason { return }
      report(.problem("The phone does not find this app: \(error)."))
      return
    }
    ProcessSockets.allowShutDown()
    observation = device.observe { device, old, new in
      guard let event = new.app.event(since: old.app) else { return }
      device.enqueue(.main) { MainActor.assumeIsolated { report(.app(event)) } }
    }
  }

  /// Gives the lock back, at the end of the app.
  package func end() throws(FileError) { try lock?.release() }
}

extension DeviceState.AppEvent {
  /// The state of the app after the event; `nil` if it stays.
  var state: AppState? {
    switch self {
    case .background: .runningInBackground
    case .foreground: .runningInForeground
    case .memoryWarning: nil
    }
  }
}
