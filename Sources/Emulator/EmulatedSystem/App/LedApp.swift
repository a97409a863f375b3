import Foundation
import Platform
import ReplayKit
import UIKit

/// A running app whose life the emulated system leads.
///
/// ```swift
/// var app = LedApp(pid: pid, root: "/dev/shm/broadcast-1000")
/// try app.enterBackground()
/// try app.suspend()
/// try app.enterForeground()
/// ```
/// The app is notified by UIKit's names in the Darwin notification center of `root`, the folder of the containers.
package struct LedApp {
  /// How long iOS lets an app run in the background.
  package static let backgroundTime = Duration.seconds(5)
  /// How long a process may take to stop. On a busy machine one of its threads may not run for seconds.
  private static let stopTime = Duration.seconds(20)

  package let pid: Int32
  private let root: String
  private var isInBackground = false

  package init(pid: Int32, root: String) { (self.pid, self.root) = (pid, root) }

  package var state: AppState {
    if isSuspended { return .runningInBackgroundSuspended }
    return isInBackground ? .runningInBackground : .runningInForeground
  }

  package var isSuspended: Bool { ProcessState.isStopped(pid) }

  /// Notifies the app that it has left the screen.
  package mutating func enterBackground() throws(StorageError) {
    isInBackground = true
    try post(UIApplication.didEnterBackgroundNotification)
  }

  /// Stops the process and ends its sockets, as iOS does with an app in the background. Throws if the process does not
  /// stop, and if its sockets cannot be reached, when it is stopped.
  package mutating func suspend() throws(SystemError) {
    isInBackground = true
    kill(pid, SIGSTOP)
    // An app that still ran would see the end of its sockets before its suspension.
    let clock = SystemClock()
    let deadline = clock.now + Self.stopTime
    while !isSuspended, clock.now < deadline { clock.wait(until: clock.now + .microseconds(200)) }
    guard isSuspended else {
      throw SystemError(call: "kill", path: "process \(pid)", errno: Errno(rawValue: ETIMEDOUT))
    }
    try ProcessSockets.shutDown(of: pid)
  }

  /// Continues the process, and notifies the app that it returns to the screen.
  package mutating func enterForeground() throws(StorageError) {
    isInBackground = false
    kill(pid, SIGCONT)
    try post(UIApplication.willEnterForegroundNotification)
  }

  /// Notifies the app that the device has little memory left.
  package func warnOfMemory() throws(StorageError) {
    try post(UIApplication.didReceiveMemoryWarningNotification)
  }

  /// Ends the process without a notification, as when the person swipes the app away.
  package func swipeAway() { kill(pid, SIGKILL) }

  private func post(_ name: NSNotification.Name) throws(StorageError) {
    try NamedSignals.post(name.rawValue, root: root, folder: CFNotificationCenter.folder)
  }
}
