import Foundation

/// The device. Models the class of UIKit's UIDevice.h.
/// Readable from any thread.
public final class UIDevice: Sendable {
  /// This device.
  public static let current = UIDevice()

  /// The device's name.
  public let name = "Broadcast Emulator"
  /// The kind of device.
  public let model = "iPhone"
  /// The name of the operating system.
  public let systemName = "iOS"
  /// The version of the operating system.
  public let systemVersion = "18.0"
  /// The identifier of this device for the apps of one vendor: the same in each process and each run.
  public let identifierForVendor = UUID(uuidString: "B0ADCA57-0000-4000-8000-000000000001")
}

/// A screen. Models the class of UIKit's UIScreen.h.
/// Readable from any thread.
public final class UIScreen: Sendable {
  /// The device's screen. An extension's samples state their own size.
  public static let main = UIScreen()

  /// The rectangle of the screen, in points: of a phone of 1170 × 2532 pixels.
  public let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
  /// The pixels of a point.
  public let scale: CGFloat = 3
  /// The rectangle of the screen, in pixels.
  public let nativeBounds = CGRect(x: 0, y: 0, width: 1170, height: 2532)
  /// The pixels of a point.
  public let nativeScale: CGFloat = 3
}

/// The object of an app's life, of which an extension has none. Models the names of UIApplication.h.
///
/// The emulated system posts these names to the Darwin notification center, because it is another process than the app.
@preconcurrency @MainActor
open class UIApplication: NSObject {
  /// The app has left the screen. It is suspended soon.
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// The app is about to be on the screen again.
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// The device has little memory left.
  public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
}

/// The state of an app as `queryAppState` of Appium reports it, with Appium's numbers.
package enum AppState: Int, Sendable {
  case notInstalled, notRunning, runningInBackgroundSuspended, runningInBackground, runningInForeground
}
