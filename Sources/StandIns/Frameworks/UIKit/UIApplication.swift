import EmulatedDevice
import Foundation

/// An extension has no application. The emulated phone controls an app that runs in parallel with a broadcast: events
/// such as `app:background` post these notifications in the app's process, and in the Darwin notification center too.
@preconcurrency @MainActor
open class UIApplication: NSObject {
  public nonisolated static let didEnterBackgroundNotification = name(.background)
  public nonisolated static let willEnterForegroundNotification = name(.foreground)
  public nonisolated static let didReceiveMemoryWarningNotification = name(.memoryWarning)

  private nonisolated static func name(_ event: DeviceState.AppEvent) -> NSNotification.Name {
    _ = isPosting
    return NSNotification.Name(event.rawValue)
  }

  private nonisolated static let isPosting: Void = Device.whenChanged { device, old, new in
    guard device.role != .extension, let event = new.app.event(since: old.app) else { return }
    device.post(name(event), from: nil)
  }
}
