/// The state of an app as `queryAppState` of Appium reports it, with Appium's numbers.
package enum AppState: Int, Sendable {
  case notInstalled, notRunning, runningInBackgroundSuspended, runningInBackground, runningInForeground
}
