import Platform

// On Apple's platforms the system gives an app group its folder. This file does so where there is none.
#if os(Linux)
  import Foundation
  import SharedMemory

  extension FileManager {
    /// The folder of an app group: below `$BROADCAST_CONTAINER`, or below a folder of the user's in memory.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
      guard AppGroupContainer.isGroupID(groupIdentifier) else { return nil }
      return URL(fileURLWithPath: AppGroupRoot.standard().path).appendingPathComponent(groupIdentifier)
    }
  }
#endif
