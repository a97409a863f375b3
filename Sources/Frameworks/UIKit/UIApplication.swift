import Foundation

/// The object of an app's life, of which an extension has none. Models the names of UIApplication.h.
///
/// The emulated system posts these names to the Darwin notification center, because it is another process than the app.
@MainActor
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
