import Foundation
import Synchronization

/// What a person allows an app, and its extensions with it.
package enum Permission: String, CaseIterable, Sendable {
  case photos, notifications, microphone

  package enum Status: Sendable { case notDetermined, denied, granted }
}

/// What the person of a device has answered. Nothing is kept from one run to the next.
final class Permissions: Sendable {
  /// What the person denies when asked; the rest is granted.
  private let denied: Set<Permission>
  /// Those that were asked for.
  private let asked: Mutex<Set<Permission>>
  /// An extension cannot ask: its app has done so, often long before.
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

  /// Asks the person, if that was not done before. Returns whether it is granted.
  package func ask(for permission: Permission) -> Bool { permissions.ask(for: permission) }
}
