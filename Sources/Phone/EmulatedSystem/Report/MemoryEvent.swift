import CommandLineSupport

/// The extension's memory at the end, as iOS counts it (Docs/CommandLine.md#the-memory-limit).
struct MemoryEvent: JSONEvent {
  static let event = "memory"
  /// The footprint: the memory that counts towards the limit.
  var footprintBytes: UInt64
  /// The largest footprint of any second.
  var peakFootprintBytes: UInt64
  /// The `--memory-limit`, or 52428800 (the limit of iOS) if it is off.
  var budgetBytes: UInt64
  /// The resident size of mapped files. It does not count towards the limit.
  var mappedFileBytes: UInt64
}
