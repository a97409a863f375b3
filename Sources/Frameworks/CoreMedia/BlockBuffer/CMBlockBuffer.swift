/// A run of bytes with an owner: here one block, where Core Media chains several.
///
/// As on iOS, nothing orders those who write the bytes and those who read them; who shares a buffer does that.
@safe
public final class CMBlockBuffer: @unchecked Sendable {
  // Why unchecked: the address and the length never change; who may touch the bytes when is the callers' contract, as
  // in Core Media.

  let base: UnsafeMutableRawPointer
  private let block: UnsafeMutableRawPointer
  private let blockLength: Int
  private let free: (UnsafeMutableRawPointer, Int) -> Void
  /// The number of bytes.
  public let dataLength: Int

  init(
    block: UnsafeMutableRawPointer, blockLength: Int, offset: Int, dataLength: Int,
    free: @escaping (UnsafeMutableRawPointer, Int) -> Void
  ) {
    unsafe self.block = block
    self.blockLength = blockLength
    // UNSAFE: the maker checked that the data lies within the block.
    unsafe base = block + offset
    self.dataLength = dataLength
    unsafe self.free = free
  }

  deinit {
    // UNSAFE: nobody has the buffer any more; its maker said how its block is freed.
    unsafe free(block, blockLength)
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { dataLength == 0 }

  var bytes: UnsafeMutableRawBufferPointer {
    // UNSAFE: within the block, which lives as long as this object.
    unsafe UnsafeMutableRawBufferPointer(start: base, count: dataLength)
  }

  /// A buffer with a copy of `bytes`; `nil` when there are none.
  package convenience init?(copying bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    // UNSAFE: the new block, which the buffer owns and frees.
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe bytes.withUnsafeBytes {
      unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyMemory(from: $0)
    }
    unsafe self.init(
      block: block, blockLength: bytes.count, offset: 0, dataLength: bytes.count,
      free: { block, _ in unsafe block.deallocate() })
  }

  /// Lends the bytes for reading.
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    // UNSAFE: bytes of the block, which lives longer than `body`.
    return try unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes throws(Failure) in
      try unsafe body(UnsafeBufferPointer(bytes).span)
    }
  }

  /// Lends the bytes for writing, as a device fills the next buffer of its pool.
  package func withMutableBytes<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    // UNSAFE: as above.
    return try unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes throws(Failure) in
      var span = unsafe bytes.mutableSpan
      return try body(&span)
    }
  }
}
