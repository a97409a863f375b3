import EmulatedDevice
@_exported import Foundation
import Synchronization

/// A notification is a line in the log, at once or at the end of its time interval.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; the mutex protects its state, and one thread sets the delegate.

  private static let center = UNUserNotificationCenter()
  private let pending = Mutex<[UNNotificationRequest]>([])

  open class func current() -> UNUserNotificationCenter { center }

  /// Not called here.
  open weak var delegate: (any UNUserNotificationCenterDelegate)?

  open func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let isGranted = Device.current.ask(for: .notifications)
    Device.current.enqueue(.global()) { completionHandler(isGranted, nil) }
  }
  open nonisolated(nonsending) func requestAuthorization(options: UNAuthorizationOptions = []) async throws
    -> Bool
  { Device.current.ask(for: .notifications) }
  open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
    let settings = UNNotificationSettings()
    Device.current.enqueue(.global()) { completionHandler(settings) }
  }
  open nonisolated(nonsending) func notificationSettings() async -> UNNotificationSettings {
    UNNotificationSettings()
  }

  open func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let device = Device.current
    guard device.status(of: .notifications) == .granted else {
      return device.enqueue(.global()) { completionHandler?(UNError(.notificationsNotAllowed)) }
    }
    pending.withLock { pending in
      pending.removeAll { $0.identifier == request.identifier }
      pending.append(request)
    }
    let interval = (request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval ?? 0
    if interval > 0 {
      DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [self] in deliver(request) }
    } else {
      deliver(request)
    }
    DispatchQueue.global().async { completionHandler?(nil) }
  }
  open nonisolated(nonsending) func add(_ request: UNNotificationRequest) async throws {
    let isAllowed = Device.current.status(of: .notifications) == .granted
    guard isAllowed else { throw UNError(.notificationsNotAllowed) }
    add(request, withCompletionHandler: nil)
  }

  private func deliver(_ request: UNNotificationRequest) {
    let isPending = pending.withLock { pending in
      guard let index = pending.firstIndex(where: { $0 === request }) else { return false }
      pending.remove(at: index)
      return true
    }
    guard isPending else { return }
    let texts = [request.content.title, request.content.subtitle, request.content.body]
    NSLog("%@", "Notification: \(texts.filter { !$0.isEmpty }.joined(separator: " – "))")
  }

  open func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    let pending = pending.withLock(\.self)
    DispatchQueue.global().async { completionHandler(pending) }
  }
  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    pending.withLock { $0.removeAll { identifiers.contains($0.identifier) } }
  }
  open func removeAllPendingNotificationRequests() { pending.withLock { $0.removeAll() } }
  /// Without effect: the line stays in the log.
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
  /// Without effect: the lines stay in the log.
  open func removeAllDeliveredNotifications() {}
}

public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {}

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
  public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
  public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
  public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
}

public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined, denied, authorized, provisional
}

public final class UNNotificationSettings: NSObject, Sendable {
  public let authorizationStatus: UNAuthorizationStatus

  fileprivate override init() {
    authorizationStatus =
      switch Device.current.status(of: .notifications) {
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .granted: .authorized
      }
  }
}

public let UNErrorDomain: String = "UNErrorDomain"

public struct UNError: CustomNSError, Sendable {
  public enum Code: Int, Sendable {
    case notificationsNotAllowed = 1
    case attachmentInvalidURL = 100
    case notificationInvalidNoDate = 1400
    case notificationInvalidNoContent
  }

  public let code: Code

  init(_ code: Code) { self.code = code }

  public static var errorDomain: String { UNErrorDomain }
  public var errorCode: Int { code.rawValue }
  /// Only `notificationsNotAllowed` occurs here.
  public var errorUserInfo: [String: Any] {
    [NSLocalizedDescriptionKey: "Notifications are not allowed for this application"]
  }
}

open class UNNotificationRequest: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: nothing changes after the content is copied.
  public let identifier: String
  public let content: UNNotificationContent
  public let trigger: UNNotificationTrigger?

  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.trigger = trigger
    self.content = UNMutableNotificationContent(content)
  }
}

@dynamicMemberLookup
open class UNNotificationContent: NSObject {
  /// The properties of a content. A mutable content can change them.
  public struct _Values {
    public var title = "", subtitle = "", body = "", categoryIdentifier = "", threadIdentifier = ""
    public var badge: NSNumber?
    public var sound: UNNotificationSound?
    public var userInfo: [AnyHashable: Any] = [:]
  }
  fileprivate var values = _Values()

  public subscript<Value>(dynamicMember property: KeyPath<_Values, Value>) -> Value {
    values[keyPath: property]
  }
}

open class UNMutableNotificationContent: UNNotificationContent {
  public override init() {}

  fileprivate convenience init(_ content: UNNotificationContent) {
    self.init()
    values = content.values
  }

  public subscript<Value>(dynamicMember property: WritableKeyPath<_Values, Value>) -> Value {
    get { values[keyPath: property] }
    set { values[keyPath: property] = newValue }
  }
}

/// No sound is played here.
public final class UNNotificationSound: NSObject, Sendable {
  public static let `default` = UNNotificationSound()
  public static let defaultCritical = UNNotificationSound()
}

open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; nothing changes.

  /// Without effect: a notification is shown only once.
  public let repeats: Bool

  fileprivate init(repeats: Bool) { self.repeats = repeats }
}

public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  // Unchecked `Sendable`: as its base class.
  public let timeInterval: TimeInterval

  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
}
