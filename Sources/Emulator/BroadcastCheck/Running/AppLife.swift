import Platform

/// The state of an app as `queryAppState` of Appium reports it, with Appium's numbers.
enum AppState: Int {
  case notInstalled, notRunning, runningInBackgroundSuspended, runningInBackground, runningInForeground
}

/// What iOS did with a running app.
struct AppLife {
  var isInBackground = false
  var isSuspended = false
  /// When iOS suspends the app; `nil` in the foreground, and once it has.
  var suspensionTime: MonotonicTime?

  /// The state of an app that runs.
  var state: AppState {
    if isSuspended { return .runningInBackgroundSuspended }
    return isInBackground ? .runningInBackground : .runningInForeground
  }
}
