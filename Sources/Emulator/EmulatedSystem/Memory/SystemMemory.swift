/// Private memory in the extension's process that is another process' on a device, in bytes.
public struct SystemMemory: Equatable, Sendable {
  /// In pixel buffers.
  public var pixelBuffers: UInt64
  /// Elsewhere.
  public var other: UInt64

  /// Memory of these two amounts; none by default.
  public init(pixelBuffers: UInt64 = 0, other: UInt64 = 0) {
    self.pixelBuffers = pixelBuffers
    self.other = other
  }

  /// All of it.
  public var byteCount: UInt64 {
    let (sum, isTooLarge) = pixelBuffers.addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
