import Platform

@_exported import struct Platform.KeyValueFile

extension KeyValueFile {
  /// The key-value file of a container. It waits by `clock` for other writers.
  public init(container: AppGroupContainer, clock: any MonotonicClock = SystemClock()) {
    self.init(folder: container.preferencesFolder, name: "\(container.group).plist", clock: clock)
  }
}
