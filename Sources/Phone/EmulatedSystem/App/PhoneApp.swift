import EmulatedDevice
import Foundation
import PhoneLink
import Platform
import ReplayKitCore
import ScreenBroadcast

/// The app alongside a broadcast, as the emulated phone controls it.
///
/// ```swift
/// var app = PhoneApp(pid: pid, root: "/dev/shm/broadcast-1000")
/// try app.perform(.background)
/// try app.perform(.suspend)
/// print(app.state)       // runningInBackgroundSuspended
/// ```
/// The app receives UIKit's notifications through the Darwin notification center of `root`, the folder of the containers.
package struct PhoneApp {
  /// An event that iOS or the person causes for an app.
  package enum Event: String, CaseIterable, Sendable {
    case background, suspend, foreground
    case memoryWarning = "memory-warning"
    /// The person swipes the app away: it is killed without a notification.
    case kill

    var stopsApp: Bool { [.background, .suspend, .kill].contains(self) }

    /// The name of the event's button, and its meaning as a sentence.
    var words: (name: String, meaning: String) {
      switch self {
      case .background: ("Home", "The app that watches goes to the background. After 5 s it is suspended.")
      case .suspend: ("Suspend the app", "iOS suspends the app that watches, and ends its sockets.")
      case .foreground: ("Open the app", "The app that watches returns to the screen, and runs again.")
      case .memoryWarning: ("Little memory", "The app that watches gets a memory warning.")
      case .kill: ("Swipe the app away", "The app that watches is killed, without a notification.")
      }
    }
  }

  /// How long iOS lets an app run in the background.
  package static let backgroundTime = Duration.seconds(5)
  /// How long a process may take to stop. On an overloaded host one of its threads may not run for seconds.
  private static let stopTime = Duration.seconds(20)

  package let pid: Int32
  private let root: String
  private var isInBackground = false
  /// The end of the time that the app has had in the background.
  private var backgroundEnd: MonotonicTime?
  /// The files for whose locks iOS has killed the app.
  package private(set) var heldLocks: [String] = []

  package init(pid: Int32, root: String) {
    self.pid = pid
    self.root = root
  }

  /// Returns the process that holds the app's lock in a container.
  static func pid(in container: AppGroupContainer) throws(DeviceEvent.Refusal) -> Int32 {
    let holder: ProcessLock.Holder
    do { holder = try ProcessLock.holder(at: container.appLockFile) } catch {
      throw DeviceEvent.Refusal("\(error).")
    }
    guard case .alive(let pid) = holder, pid > 0 else {
      throw DeviceEvent.Refusal("No app runs in \(container.folder); start 'consumer' there.")
    }
    return pid
  }

  package var state: AppState {
    if isSuspended { return .runningInBackgroundSuspended }
    return isInBackground ? .runningInBackground : .runningInForeground
  }

  private var isSuspended: Bool { ProcessState.isStopped(pid) }

  /// Performs an event on the app, and notifies it. The caller must suspend the app after ``backgroundTime`` in the
  /// background.
  package mutating func perform(_ event: Event) throws(DeviceEvent.Refusal) {
    switch event {
    case .background where state != .runningInForeground:
      throw DeviceEvent.Refusal("The app is in the background already.")
    case .background: try enterBackground()
    case .suspend where isSuspended: throw DeviceEvent.Refusal("The app is suspended already.")
    case .suspend: try suspend()
    case .foreground where state == .runningInForeground:
      throw DeviceEvent.Refusal("The app is in the foreground already.")
    case .foreground:
      (isInBackground, backgroundEnd) = (false, nil)
      kill(pid, SIGCONT)
      try post(DeviceState.AppEvent.foreground.name)
    case .memoryWarning where isSuspended:
      throw DeviceEvent.Refusal("The app is suspended, and gets no memory warning.")
    case .memoryWarning: try post(DeviceState.AppEvent.memoryWarning.name)
    case .kill: kill(pid, SIGKILL)
    }
  }

  private mutating func enterBackground() throws(DeviceEvent.Refusal) {
    isInBackground = true
    backgroundEnd = SystemClock().now + Self.backgroundTime
    try post(DeviceState.AppEvent.background.name)
  }

  /// The files of app groups that the app has locked.
  private var lockedFiles: [String] {
    get throws(DeviceEvent.Refusal) {
      do { return try ProcessLocks.groupFiles(lockedBy: pid, root: root) } catch {
        throw DeviceEvent.Refusal("The locks of the app cannot be read: \(error).")
      }
    }
  }

  /// Whether the app in the foreground has locked a file.
  var needsTime: Bool {
    guard state == .runningInForeground else { return false }
    do { return try !lockedFiles.isEmpty } catch {
      // The suspension fails with the same error.
      return false
    }
  }

  /// Stops the process and shuts down its sockets, as iOS does with an app in the background. An app that holds a lock gets its
  /// time in the background first, and is killed if it still holds the lock afterwards.
  private mutating func suspend() throws(DeviceEvent.Refusal) {
    let clock = SystemClock()
    if !isInBackground, try !lockedFiles.isEmpty { try enterBackground() }
    isInBackground = true
    while let end = backgroundEnd, clock.now < end, try !lockedFiles.isEmpty {
      clock.wait(until: clock.now + .milliseconds(20))
    }
    kill(pid, SIGSTOP)
    // Wait until the app has stopped. Otherwise it would see its sockets end before its suspension.
    let deadline = clock.now + Self.stopTime
    while !isSuspended, clock.now < deadline { clock.wait(until: clock.now + .microseconds(200)) }
    guard isSuspended else { throw DeviceEvent.Refusal("The app does not stop.") }
    heldLocks = try lockedFiles
    guard heldLocks.isEmpty else {
      kill(pid, SIGKILL)
      return
    }
    do { try ProcessSockets.shutDown(of: pid) } catch {
      throw DeviceEvent.Refusal(
        "The app is suspended, but keeps its sockets: \(error). Allow pidfd_getfd, in Docker with "
          + "--cap-add SYS_PTRACE.")
    }
  }

  /// The first locked file as a sentence; `nil` unless the app was killed for a lock.
  package var nameOfHeldLock: String? { heldLocks.first.map { "It was '\($0)'." } }

  private func post(_ name: NSNotification.Name) throws(DeviceEvent.Refusal) {
    do { try NamedSignals.post(name.rawValue, root: root) } catch {
      throw DeviceEvent.Refusal("The app was not notified: \(error).")
    }
  }
}

extension BroadcastSystem {
  /// Performs an event on the app that runs now. An app in the background is suspended after ``PhoneApp/backgroundTime``.
  func perform(_ event: PhoneApp.Event) throws(DeviceEvent.Refusal) {
    guard let appContainer else { throw DeviceEvent.Refusal("This event needs an app with its own process.") }
    let pid = try PhoneApp.pid(in: appContainer)
    if app?.pid != pid { app = PhoneApp(pid: pid, root: appContainer.parentFolder) }
    // An app that has locked a file gets its time in the background, while the broadcast goes on.
    let event = event == .suspend && app?.needsTime == true ? .background : event
    try app?.perform(event)
    if let name = app?.nameOfHeldLock { note(.lockHeld, name: name) }
    if event == .memoryWarning { return }
    schedule.removeAll { $0 == suspension }
    suspension = event == .background ? perform("app:suspend", after: PhoneApp.backgroundTime) : nil
  }

  /// Calls `body` after the pending suspension of an app in the background, even if the broadcast is over. If no suspension
  /// is pending, it calls `body` at once and returns `nil`. Cancel the returned timer to stop waiting.
  package func suspendApp(then body: @escaping @MainActor @Sendable () -> Void) -> (any RepeatingTimer)? {
    guard let suspension, let appContainer else {
      body()
      return nil
    }
    let timer = time.makeTimer(.main)
    timer.start(every: max(.milliseconds(1), suspension.time - (time.clock.now - launchTime))) {
      [weak self] in
      timer.cancel()
      MainActor.assumeIsolated {
        // Skip an app that has ended or was started again.
        do throws(DeviceEvent.Refusal) {
          if let pid = self?.app?.pid, try PhoneApp.pid(in: appContainer) == pid {
            try self?.app?.perform(.suspend)
            if let name = self?.app?.nameOfHeldLock { self?.note(.lockHeld, name: name) }
          }
        } catch {}
        body()
      }
    }
    return timer
  }
}
