@_exported import struct Platform.KeyValueFile

extension KeyValueFile {
  /// The key-value file of a container.
  public init(container: AppGroupContainer) {
    self.init(folder: container.preferencesFolder, name: "\(container.group).plist")
  }
}
