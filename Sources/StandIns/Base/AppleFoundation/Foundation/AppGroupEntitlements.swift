import Foundation
import Synchronization

/// The app groups that the entitlements of this process grant.
package enum AppGroupEntitlements {
  private static let granted = Mutex<Set<String>?>(nil)

  /// Grants only these groups. Before the first call, all groups are granted.
  package static func grant(_ groups: Set<String>?) { granted.withLock { $0 = groups } }

  package static func allow(_ group: String) -> Bool {
    granted.withLock { $0.map { $0.contains(group) } ?? true }
  }
}
