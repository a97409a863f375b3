import EmulatedDevice
import Foundation
import Platform
import Synchronization

extension FileManager {
  /// Returns an existing folder below `$BROADCAST_CONTAINER`, or below a folder of the user in memory. Returns `nil`
  /// for an invalid ID, for a group that the entitlements do not grant, and if the folder cannot be created.
  ///
  /// The emulated system names its group in `$BROADCAST_GROUP`. If a handler requests another group, it gets that
  /// group, and the difference is logged once. The programs of the article use the group of their option `--group`.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    guard AppGroupRoot.isGroupID(groupIdentifier) else { return nil }
    guard AppGroupEntitlements.allow(groupIdentifier) else {
      // The message of a device's log.
      report(
        "container_create_or_lookup_app_group_path_by_app_group_identifier: client is not entitled",
        about: groupIdentifier)
      return nil
    }
    let root = Device.current.containerRoot
    let folder = root + "/" + groupIdentifier
    do throws(FileError) {
      try PrivateFolder.prepareRoot(root)
      for path in [folder, folder + "/Library", folder + "/Library/Caches"] {
        try PrivateFolder.prepare(path)
      }
    } catch {
      report(
        "the folder of the app group '\(groupIdentifier)' cannot be used: \(error)", about: groupIdentifier)
      return nil
    }
    if let group = ProcessInfo.processInfo.environment["BROADCAST_GROUP"], group != groupIdentifier {
      report(
        "the handler requests the app group '\(groupIdentifier)', but this program runs for '\(group)'; "
          + "start it with --group \(groupIdentifier)", about: groupIdentifier)
    }
    return URL(fileURLWithPath: folder, isDirectory: true)
  }
}

/// The groups about which something was logged.
private let reportedGroups = Mutex<Set<String>>([])

private func report(_ text: String, about group: String) {
  guard reportedGroups.withLock({ $0.insert(group).inserted }) else { return }
  NSLog("%@", "containerURL: \(text).")
}
