import CommandLineSupport
import Platform
import ScreenBroadcast
import UIKit

/// The app that watches in a container, as the phone of a broadcast leads it.
package struct WatchingApp {
  /// What iOS does with an app.
  package enum Event: String, CaseIterable, Sendable {
    case background, suspend, foreground
    case memoryWarning = "memory-warning"
    case kill
  }

  private let container: AppGroupContainer
  /// The app that was led last.
  private var led: LedApp?
  /// The suspension that follows the time in the background; `nil` while none is due.
  fileprivate var suspension: ScheduledEvent?

  package init(in container: AppGroupContainer) { self.container = container }

  /// Makes an event happen to the app that runs now, found by its lock.
  mutating func perform(_ event: Event) throws(DeviceEvent.Refusal) {
    var app = try running()
    defer { led = app }
    do {
      switch event {
      case .background where app.state != .runningInForeground:
        throw DeviceEvent.Refusal("The app is in the background already.")
      case .background: try app.enterBackground()
      case .suspend where app.isSuspended: throw DeviceEvent.Refusal("The app is suspended already.")
      case .suspend: try suspend(&app)
      case .foreground where app.state == .runningInForeground:
        throw DeviceEvent.Refusal("The app is in the foreground already.")
      case .foreground: try app.enterForeground()
      case .memoryWarning where app.isSuspended:
        throw DeviceEvent.Refusal("The app is suspended, and gets no memory warning.")
      case .memoryWarning: try app.warnOfMemory()
      case .kill: app.swipeAway()
      }
    } catch let error as DeviceEvent.Refusal {
      throw error
    } catch {
      throw DeviceEvent.Refusal("The app was not notified: \(error).")
    }
  }

  private func suspend(_ app: inout LedApp) throws(DeviceEvent.Refusal) {
    do { try app.suspend() } catch {
      guard app.isSuspended else { throw DeviceEvent.Refusal("The app does not stop: \(error).") }
      throw DeviceEvent.Refusal(
        "The app is suspended, but keeps its sockets: \(error). Allow pidfd_getfd, in Docker with "
          + "--cap-add SYS_PTRACE.")
    }
  }

  private func running() throws(DeviceEvent.Refusal) -> LedApp {
    let holder: ProducerLock.Holder
    do { holder = try ProducerLock.holder(at: container.appLockFile) } catch {
      throw DeviceEvent.Refusal("\(error).")
    }
    guard case .alive(let pid) = holder, pid > 0 else {
      throw DeviceEvent.Refusal("No app runs in \(container.folder); start 'consumer' there.")
    }
    return led.flatMap { $0.pid == pid ? $0 : nil } ?? LedApp(pid: pid, root: container.parentFolder)
  }
}

extension BroadcastSystem {
  /// Makes an event happen to the app. In the background it is suspended after the time that iOS gives it.
  func perform(_ event: WatchingApp.Event) throws(DeviceEvent.Refusal) {
    guard app != nil else { throw DeviceEvent.Refusal("The app is no process of its own here.") }
    try app?.perform(event)
    if event == .memoryWarning { return }
    schedule.removeAll { $0 == app?.suspension }
    app?.suspension = event == .background ? perform("app:suspend", after: LedApp.backgroundTime) : nil
  }
}
