import CommandLineSupport

/// The handler has posted or observed a Darwin notification for the first time.
package struct NotificationEvent: JSONEvent, Equatable {
  package static let event = "notification"
  /// The name of the notification.
  package var name: String

  package init(name: String) { self.name = name }

  var text: String { "The handler uses Darwin notifications, first \(name)." }
}
