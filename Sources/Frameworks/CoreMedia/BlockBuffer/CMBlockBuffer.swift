// Models CoreMedia/CMBlockBuffer.h, with one memory block where Core Media can chain several.

/// A reference-counted range of bytes in one memory block.
///
/// As on iOS, the users of a buffer order their reads and writes of the bytes themselves.
@safe
public final class CMBlockBuffer: @unchecked Sendable {
  // Unchecked: the address and the length never change, and Core Media leaves access to the bytes to its callers.

  let base: UnsafeMutableRawPointer
  private let free: () -> Void
  /// The number of bytes.
  public let dataLength: Int

  /// Creates a buffer of the bytes at `base`, which are valid until `free` is called.
  init(base: UnsafeMutableRawPointer, dataLength: Int, free: @escaping () -> Void) {
    unsafe self.base = base
    self.dataLength = dataLength
    self.free = free
  }

  deinit { free() }

  /// Whether the buffer has no bytes.
  public var isEmpty: Bool { dataLength == 0 }

  private var bytes: UnsafeMutableBufferPointer<UInt8> {
    // UNSAFE: within the block, which lives as long as this object; the bytes are plain.
    unsafe UnsafeMutableBufferPointer(
      start: base.assumingMemoryBound(to: UInt8.self), count: dataLength)
  }

  /// Creates a buffer with a copy of `bytes`, or `nil` when there are none.
  package convenience init?(copying bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    // UNSAFE: the buffer owns the new block and frees it.
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe bytes.withUnsafeBytes {
      unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyMemory(from: $0)
    }
    unsafe self.init(base: block, dataLength: bytes.count) { unsafe block.deallocate() }
  }

  /// Calls `body` with the bytes for reading.
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    // UNSAFE: bytes of the block, which outlives `body`.
    return try unsafe body(UnsafeBufferPointer(bytes).span)
  }
}
