import Foundation

// Models UNNotificationRequest.h, UNNotificationContent.h, UNNotificationSound.h and UNNotificationTrigger.h.

/// A notification and when it is shown.
open class UNNotificationRequest: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: nothing changes, once the content is copied.

  /// The name by which it is replaced and removed.
  public let identifier: String
  /// What is shown.
  public let content: UNNotificationContent
  /// When it is shown; at once without one.
  public let trigger: UNNotificationTrigger?

  /// Creates a request; the content is copied.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    (self.identifier, self.trigger) = (identifier, trigger)
    self.content = UNMutableNotificationContent(content)
  }
}

/// What a notification shows.
open class UNNotificationContent: NSObject {
  fileprivate var values = Values()

  fileprivate struct Values {
    var title = ""
    var subtitle = ""
    var body = ""
    var categoryIdentifier = ""
    var threadIdentifier = ""
    var badge: NSNumber?
    var sound: UNNotificationSound?
    var userInfo: [AnyHashable: Any] = [:]
  }

  /// The title.
  open var title: String { values.title }
  /// The second title.
  open var subtitle: String { values.subtitle }
  /// The text.
  open var body: String { values.body }
  /// The category.
  open var categoryIdentifier: String { values.categoryIdentifier }
  /// The group.
  open var threadIdentifier: String { values.threadIdentifier }
  /// The number on the icon.
  open var badge: NSNumber? { values.badge }
  /// The sound.
  open var sound: UNNotificationSound? { values.sound }
  /// What the app gets with it.
  open var userInfo: [AnyHashable: Any] { values.userInfo }
}

/// What a notification is going to show.
open class UNMutableNotificationContent: UNNotificationContent {
  /// Creates an empty content.
  public override init() {}

  fileprivate convenience init(_ content: UNNotificationContent) {
    self.init()
    values = content.values
  }

  /// The title.
  open override var title: String {
    get { values.title }
    set { values.title = newValue }
  }
  /// The second title.
  open override var subtitle: String {
    get { values.subtitle }
    set { values.subtitle = newValue }
  }
  /// The text.
  open override var body: String {
    get { values.body }
    set { values.body = newValue }
  }
  /// The category.
  open override var categoryIdentifier: String {
    get { values.categoryIdentifier }
    set { values.categoryIdentifier = newValue }
  }
  /// The group.
  open override var threadIdentifier: String {
    get { values.threadIdentifier }
    set { values.threadIdentifier = newValue }
  }
  /// The number on the icon.
  open override var badge: NSNumber? {
    get { values.badge }
    set { values.badge = newValue }
  }
  /// The sound.
  open override var sound: UNNotificationSound? {
    get { values.sound }
    set { values.sound = newValue }
  }
  /// What the app gets with it.
  open override var userInfo: [AnyHashable: Any] {
    get { values.userInfo }
    set { values.userInfo = newValue }
  }
}

/// A sound; nothing is heard here.
public final class UNNotificationSound: NSObject, Sendable {
  /// The system's sound.
  public static let `default` = UNNotificationSound()
  /// The system's loud sound.
  public static let defaultCritical = UNNotificationSound()
}

/// When a notification is shown.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; nothing changes.

  /// Whether it is shown again and again; only once here.
  public let repeats: Bool

  fileprivate init(repeats: Bool) { self.repeats = repeats }
}

/// A notification after some seconds.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  // Unchecked `Sendable`: as its base class.

  /// The seconds.
  public let timeInterval: TimeInterval

  /// Creates a trigger.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
}
