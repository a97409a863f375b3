import EmulatedDevice
import Foundation
import PhoneLink
import Platform
import ReplayKitCore
import ScreenBroadcast

/// Makes this process the app that the emulated phone controls, and reports the phone's events for the app.
///
/// The phone finds the app by a lock in the container. If a container has several apps, the phone controls the first.
@MainActor
package final class AppLife {
  private let lock: ProcessLock?
  private var observation: DeviceObservation?

  /// Takes the app's lock in an existing container, unless another app holds it. `report` is called on the main queue.
  package init(
    in container: AppGroupContainer, on device: Device = .current,
    report: @escaping @MainActor (WatchMessage) -> Void
  ) {
    do throws(FileError) { lock = try ProcessLock(path: container.appLockFile) } catch {
      lock = nil
      // Another app of this container holds the lock.
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

  /// Releases the lock at the end of the app.
  package func end() throws(FileError) { try lock?.release() }
}

extension DeviceState.AppEvent {
  /// The state of the app after the event; `nil` if the event does not change it.
  var state: AppState? {
    switch self {
    case .background: .runningInBackground
    case .foreground: .runningInForeground
    case .memoryWarning: nil
    }
  }
}
