import Foundation
import Synchronization

/// A permission that a person gives an app, including its extensions.
package enum Permission: String, CaseIterable, Sendable {
  case photos, notifications, microphone

  package enum Status: Sendable { case notDetermined, denied, granted }
}

/// The permissions on a device. They are not kept from one run to the next.
final class Permissions: Sendable {
  /// The permissions that the person denies when asked. All others are granted.
  private let denied: Set<Permission>
  /// The permissions that have been requested.
  private let asked: Mutex<Set<Permission>>
  /// Whether requests are assumed. An extension cannot ask, because its app has asked already, often long before.
  private let areAssumed: Bool
  private let told = Mutex<Set<Permission>>([])

  init(denied: Set<Permission>, of role: Device.Role) {
    self.denied = denied
    areAssumed = role == .extension
    asked = Mutex(role == .app ? [] : Set(Permission.allCases))
  }

  func status(of permission: Permission) -> Permission.Status {
    guard asked.withLock({ $0.contains(permission) }) else { return .notDetermined }
    let isDenied = denied.contains(permission)
    if areAssumed, !isDenied, told.withLock({ $0.insert(permission).inserted }) {
      NSLog(
        "%@",
        "\(permission): granted, on the assumption that the app has asked; see --permission \(permission):denied."
      )
    }
    return isDenied ? .denied : .granted
  }

  func ask(for permission: Permission) -> Bool {
    _ = asked.withLock { $0.insert(permission) }
    return status(of: permission) == .granted
  }
}

extension Device {
  package func status(of permission: Permission) -> Permission.Status { permissions.status(of: permission) }

  /// Asks the person unless that was done before. Returns whether the permission is granted.
  package func ask(for permission: Permission) -> Bool { permissions.ask(for: permission) }
}
