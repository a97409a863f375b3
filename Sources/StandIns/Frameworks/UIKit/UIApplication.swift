import EmulatedDevice
import Foundation

/// An extension has no application. The emulated phone controls an app that runs in parallel with a broadcast: events
/// such as `app:background` post these notifications in the app's process, and in the Darwin notification center too.
@preconcurrency @MainActor
open class UIApplication: NSObject {
  public nonisolated static let didEnterBackgroundNotification = name(.background)
  public nonisolated static let willEnterForegroundNotification = name(.foreground)
  public nonisolated static let didReceiveMemoryWarningNotification = name(.memoryWarning)
  public nonisolated static let willResignActiveNotification = name(
    "UIApplicationWillResignActiveNotification")
  public nonisolated static let didBecomeActiveNotification = name("UIApplicationDidBecomeActiveNotification")
  /// Not posted here: iOS kills a suspended app without it.
  public nonisolated static let willTerminateNotification = name("UIApplicationWillTerminateNotification")
  public nonisolated static let protectedDataWillBecomeUnavailableNotification = name(
    "UIApplicationProtectedDataWillBecomeUnavailable")
  public nonisolated static let protectedDataDidBecomeAvailableNotification = name(
    "UIApplicationProtectedDataDidBecomeAvailable")

  private nonisolated static func name(_ event: DeviceState.AppEvent) -> NSNotification.Name {
    name(event.rawValue)
  }

  private nonisolated static func name(_ text: String) -> NSNotification.Name {
    _ = isPosting
    return NSNotification.Name(text)
  }

  private nonisolated static let isPosting: Void = Device.whenChanged { device, old, new in
    guard device.role != .extension else { return }
    let names: [NSNotification.Name] =
      switch new.app.event(since: old.app) {
      case .background: [willResignActiveNotification, didEnterBackgroundNotification]
      case .foreground: [willEnterForegroundNotification, didBecomeActiveNotification]
      case .memoryWarning: [didReceiveMemoryWarningNotification]
      case nil where new.isLocked && !old.isLocked: [protectedDataWillBecomeUnavailableNotification]
      case nil where old.isLocked && !new.isLocked: [protectedDataDidBecomeAvailableNotification]
      case nil: []
      }
    for name in names { device.post(name, from: nil) }
  }
}
