import Foundation

/// Readable from any thread.
public final class UIDevice: Sendable {
  public static let current = UIDevice()

  public let name = "Broadcast Emulator"
  public let model = "iPhone"
  public let systemName = "iOS"
  public let systemVersion = "18.0"
  /// The same in each process and each run.
  public let identifierForVendor = UUID(uuidString: "B0ADCA57-0000-4000-8000-000000000001")
}

/// Always of a phone with 1170 × 2532 pixels. Readable from any thread.
public final class UIScreen: Sendable {
  /// The samples of an extension state their own size.
  public static let main = UIScreen()

  public let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
  public let scale: CGFloat = 3
  public let nativeBounds = CGRect(x: 0, y: 0, width: 1170, height: 2532)
  public let nativeScale: CGFloat = 3
}

/// An extension has none. The emulated system posts these names to the Darwin notification center, because it
/// is another process than the app.
@preconcurrency @MainActor
open class UIApplication: NSObject {
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
    "UIApplicationWillEnterForegroundNotification")
  public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
}

/// The state of an app as `queryAppState` of Appium reports it, with Appium's numbers.
package enum AppState: Int, Sendable {
  case notInstalled, notRunning, runningInBackgroundSuspended, runningInBackground, runningInForeground
}
