/// The state of an app as reported by Appium's `queryAppState`, with Appium's numbers.
package enum AppState: Int, Sendable {
  case notInstalled, notRunning, runningInBackgroundSuspended, runningInBackground, runningInForeground
}
