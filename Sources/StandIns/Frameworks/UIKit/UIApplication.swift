import EmulatedDevice
import Foundation

/// An extension has none. The emulated phone leads an app that runs beside a broadcast: `app:background` and its like post these
/// names in the app's process, and in the Darwin notification center too.
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
