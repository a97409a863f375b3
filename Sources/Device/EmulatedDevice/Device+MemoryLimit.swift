extension Device {
  /// The footprint in bytes above which iOS kills an extension.
  package static let usualMemoryLimit: UInt64 = 50 << 20
}
