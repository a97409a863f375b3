import Foundation
import Synchronization

/// The notifications that a person sees. Models the class of UserNotifications. The emulated person has allowed them; a
/// notification without a trigger, or with one of time, is a line of the log.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; the mutex protects its state, and
  // one thread sets the delegate.

  private static let center = UNUserNotificationCenter()
  private let state = Mutex(State())

  private struct State {
    var pending: [UNNotificationRequest] = []
    var delivered: [UNNotificationRequest] = []
  }

  /// The center of the process.
  open class func current() -> UNUserNotificationCenter { center }

  /// The delegate; not called here.
  open weak var delegate: (any UNUserNotificationCenterDelegate)?

  /// Asks the person, who allows it.
  open func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    DispatchQueue.global().async { completionHandler(true, nil) }
  }

  /// Asks the person, who allows it.
  open nonisolated(nonsending) func requestAuthorization(options: UNAuthorizationOptions = []) async throws
    -> Bool
  { true }

  /// Reads what the person has allowed.
  open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
    DispatchQueue.global().async { completionHandler(UNNotificationSettings()) }
  }

  /// Reads what the person has allowed.
  open nonisolated(nonsending) func notificationSettings() async -> UNNotificationSettings {
    UNNotificationSettings()
  }

  /// Shows a notification, in the log, after the time of its trigger.
  open func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    state.withLock { state in
      state.pending.removeAll { $0.identifier == request.identifier }
      state.pending.append(request)
    }
    let interval = (request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval ?? 0
    if interval > 0 {
      DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [self] in deliver(request) }
    } else {
      deliver(request)
    }
    DispatchQueue.global().async { completionHandler?(nil) }
  }

  /// Shows a notification, in the log, after the time of its trigger.
  open nonisolated(nonsending) func add(_ request: UNNotificationRequest) async throws {
    add(request, withCompletionHandler: nil)
  }

  private func deliver(_ request: UNNotificationRequest) {
    let isPending = state.withLock { state in
      guard state.pending.contains(where: { $0 === request }) else { return false }
      state.pending.removeAll { $0 === request }
      state.delivered.append(request)
      return true
    }
    guard isPending else { return }
    let texts = [request.content.title, request.content.subtitle, request.content.body]
    NSLog("%@", "Notification: \(texts.filter { !$0.isEmpty }.joined(separator: " – "))")
  }

  /// Reads the notifications that have not been shown.
  open func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    let pending = state.withLock(\.pending)
    DispatchQueue.global().async { completionHandler(pending) }
  }

  /// Removes notifications that have not been shown.
  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    state.withLock { $0.pending.removeAll { identifiers.contains($0.identifier) } }
  }
  /// Removes all notifications that have not been shown.
  open func removeAllPendingNotificationRequests() { state.withLock { $0.pending.removeAll() } }
  /// Removes notifications that were shown.
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    state.withLock { $0.delivered.removeAll { identifiers.contains($0.identifier) } }
  }
  /// Removes all notifications that were shown.
  open func removeAllDeliveredNotifications() { state.withLock { $0.delivered.removeAll() } }
}

/// What a process hears of its notifications: nothing here.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {}

/// What a process asks for, as bits.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// Creates options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// A number on the icon.
  public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
  /// A sound.
  public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
  /// A text.
  public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
  /// A sound in spite of silence.
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
  /// Without a question.
  public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
}

/// What the person has said.
public enum UNAuthorizationStatus: Int, Sendable {
  /// Nothing.
  case notDetermined
  /// No.
  case denied
  /// Yes.
  case authorized
  /// Nothing, and they are shown quietly.
  case provisional
}

/// What the person has allowed: all.
public final class UNNotificationSettings: NSObject, Sendable {
  /// What the person has said.
  public var authorizationStatus: UNAuthorizationStatus { .authorized }
}
