import Foundation
import PhoneLink
import Platform
import ReplayKit
import ScreenBroadcast
import UIKit

/// Makes this process the app that the emulated phone leads, and reports what the phone does with it.
///
/// The phone finds the app by a lock in the container, and notifies it by the Darwin notification center. Of several apps in
/// a container it leads the first.
@MainActor
package final class AppLife {
  private let lock: ProcessLock?
  private let center: CFNotificationCenter

  /// A change in the life of the app. The raw value is its name in JSON.
  package enum Change: String, CaseIterable, Sendable {
    case background, foreground, memoryWarning

    /// The state of the app after the change; `nil` if it stays.
    package var state: AppState? {
      switch self {
      case .background: .runningInBackground
      case .foreground: .runningInForeground
      case .memoryWarning: nil
      }
    }

    fileprivate var notification: NSNotification.Name {
      switch self {
      case .background: UIApplication.didEnterBackgroundNotification
      case .foreground: UIApplication.willEnterForegroundNotification
      case .memoryWarning: UIApplication.didReceiveMemoryWarningNotification
      }
    }
  }

  /// Takes the lock of a container that was made, unless another app has it; `report` is called on the main queue.
  package init(in container: AppGroupContainer, report: @escaping @MainActor (WatchMessage) -> Void) {
    center = CFNotificationCenter(root: container.parentFolder)
    do throws(FileError) { lock = try ProcessLock(path: container.appLockFile) } catch {
      lock = nil
      // Another app of this container has the lock.
      if case .held = error.reason { return }
      report(.problem("The phone does not find this app: \(error)."))
      return
    }
    ProcessSockets.allowShutDown()
    for change in Change.allCases {
      // UNSAFE: the center passes the observer's address to the callback, which does not use it.
      unsafe CFNotificationCenterAddObserver(
        center, nil, { _, _, _, _, _ in MainActor.assumeIsolated { report(.app(change)) } },
        change.notification.rawValue, nil, .deliverImmediately)
    }
  }

  /// Gives the lock back, at the end of the app.
  package func end() throws(FileError) { try lock?.release() }
}
