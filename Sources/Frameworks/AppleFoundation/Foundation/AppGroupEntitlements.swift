import Foundation
import Synchronization

/// The app groups that the entitlements of this process grant.
package enum AppGroupEntitlements {
  private static let granted = Mutex<Set<String>?>(nil)

  /// Grants these groups and no others. Before the first call all are granted.
  package static func grant(_ groups: Set<String>?) { granted.withLock { $0 = groups } }

  package static func allow(_ group: String) -> Bool {
    granted.withLock { $0.map { $0.contains(group) } ?? true }
  }
}

/// The defaults of a group that the entitlements do not grant: values of this process alone.
final class PrivateDefaults: UserDefaults {
  private struct Values: @unchecked Sendable {
    // Unchecked `Sendable`: values of property lists, which are not changed.
    var byKey: [String: Any] = [:]
    var registered: [String: Any] = [:]
  }

  private let values = Mutex(Values())

  init?(of group: String) { super.init(suiteName: nil as String?) }

  override func object(forKey defaultName: String) -> Any? {
    values.withLock(\.self).byKey[defaultName] ?? values.withLock(\.self).registered[defaultName]
  }

  override func set(_ value: Any?, forKey defaultName: String) {
    nonisolated(unsafe) let value = value
    // UNSAFE: the caller gives the value away, as with Foundation.
    values.withLock { $0.byKey[defaultName] = unsafe value }
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self)
  }

  override func removeObject(forKey defaultName: String) { set(nil as Any?, forKey: defaultName) }

  override func register(defaults registrationDictionary: [String: Any]) {
    nonisolated(unsafe) let new = registrationDictionary
    // UNSAFE: as in `set`.
    values.withLock { unsafe $0.registered.merge(new) { $1 } }
  }

  override func dictionaryRepresentation() -> [String: Any] {
    let values = values.withLock(\.self)
    return values.registered.merging(values.byKey) { $1 }
  }

  override func synchronize() -> Bool { true }
}
