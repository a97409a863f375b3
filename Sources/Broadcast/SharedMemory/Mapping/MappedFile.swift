import CPlatform
import Platform

/// A file whose bytes are memory: what one process writes into it, another sees.
///
/// ```swift
/// let file = try MappedFile(path: "/…/frames.ring")
/// file.withBytes { bytes in bytes[0] }
/// ```
/// The size is that of the moment of mapping. A file made shorter by somebody else does not end the process:
/// its bytes then read as zeros, and ``isLost`` says so.
@safe
public final class MappedFile: @unchecked Sendable {
  // Why unchecked: the address and the length never change. What is behind them is shared with other
  // processes anyway; the types above (the ring) say who may write what, and order it with atomics.

  /// The path the file was opened or created at.
  public let path: String
  /// The number of mapped bytes.
  public let byteCount: Int
  /// The file system's own name of the file, which survives a rename.
  let identity: FileStatus.Identity
  @usableFromInline
  let base: UnsafeMutableRawPointer
  @usableFromInline
  let isWritable: Bool
  private let guardTicket: Int32
  /// Kept open, since locks on bytes of the file last as long as it is.
  private let file: FileDescriptor

  /// Maps an existing plain file of this user read-only.
  public convenience init(path: String) throws(StorageError) {
    try self.init(file: try PlainFile.open(path), path: path, range: nil, isWritable: false)
  }

  /// Maps an existing plain file of this user read-only, but opens it so that ``sharing(_:)`` can write a part.
  convenience init(sharingPath path: String) throws(StorageError) {
    try self.init(file: try PlainFile.open(path, writable: true), path: path, range: nil, isWritable: false)
  }

  /// Maps `range` of the same file once more, for writing. The file must have been opened for sharing.
  func sharing(_ range: Range<Int>) throws(StorageError) -> MappedFile {
    let second: FileDescriptor
    do { second = try System.duplicate(file) } catch { throw .system(error) }
    return try MappedFile(file: second, path: path, range: range, isWritable: true)
  }

  /// Locks one byte of the file for as long as this object or one made by ``sharing(_:)`` lives, if nobody else
  /// has it locked.
  func tryLock(byte offset: Int) throws(StorageError) -> Bool {
    do { return try System.tryLock(file, byte: offset) } catch { throw .system(error) }
  }

  /// Gives a byte back.
  func unlock(byte offset: Int) throws(StorageError) {
    do { try System.unlock(file, byte: offset) } catch { throw .system(error) }
  }

  /// Creates a file of `byteCount` zero bytes at `path`, in place of one of that name, and maps it for writing.
  ///
  /// Its blocks are reserved first: when the file system has no room left, this throws, and no later write
  /// can fail for want of it.
  public convenience init(creatingAt path: String, byteCount: Int) throws(StorageError) {
    let file = try PlainFile.create(path)
    do {
      do { try System.reserve(byteCount, in: file) } catch { throw StorageError.system(error) }
      try self.init(file: file, path: path, range: nil, isWritable: true)
    } catch {
      // Nothing half made stays behind: its reserved memory would be lost until somebody removes it.
      do { try System.remove(path) } catch let second { throw .system(second) }
      throw StorageError(error)
    }
  }

  private init(
    file: consuming FileDescriptor, path: String, range: Range<Int>?, isWritable: Bool
  ) throws(StorageError) {
    do {
      let status = try System.status(of: file)
      let range = range ?? 0..<status.byteCount
      byteCount = range.count
      guard byteCount > 0, range.upperBound <= status.byteCount else { throw StorageError.empty(path: path) }
      identity = status.identity
      // UNSAFE: this object owns the range until deinit unmaps it.
      unsafe base = try System.map(file, range, writable: isWritable)
    } catch {
      throw StorageError(error)
    }
    self.path = path
    self.isWritable = isWritable
    // UNSAFE: the range just mapped; the guard forgets it before it is unmapped.
    let ticket = unsafe mapping_guard_add(base, byteCount)
    guard ticket >= 0 else {
      // Before the last property is set, so that no deinit runs.
      unsafe System.unmap(base, byteCount: byteCount)
      throw .tooManyMappings(path: path)
    }
    guardTicket = ticket
    self.file = file
  }

  deinit {
    mapping_guard_remove(guardTicket)
    // UNSAFE: nothing refers to the range any more, since spans and pointers leave only inside closures.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  /// Whether the file was cut short while mapped. From then on the bytes are zeros nobody else sees.
  public var isLost: Bool { mapping_guard_is_lost(guardTicket) }

  /// Asks for the memory of all pages now, so that no first touch is slow.
  public func populate() {
    // UNSAFE: the whole of this object's own range.
    unsafe System.populate(base, byteCount: byteCount, forWriting: isWritable)
  }

  /// Lends all bytes for reading. Another process may be writing them meanwhile.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // UNSAFE: the range is mapped for as long as `self` lives, which is longer than `body`.
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: byteCount)
    defer { withExtendedLifetime(self) {} }
    return try unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes throws(Failure) in
      try unsafe body(bytes.span)
    }
  }

  /// Lends the bytes of `range` for writing. The file must have been created by this object.
  @inlinable
  func withMutableBytes<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(isWritable, "\(path) is mapped read-only")
    precondition(
      range.lowerBound >= 0 && range.upperBound <= byteCount, "the range is outside of the mapping")
    // UNSAFE: within the mapping, which lives longer than `body`; bytes are bound as bytes only.
    let start = unsafe (base + range.lowerBound).assumingMemoryBound(to: UInt8.self)
    let bytes = unsafe UnsafeMutableBufferPointer(start: start, count: range.count)
    defer { withExtendedLifetime(self) {} }
    var span = unsafe bytes.mutableSpan
    return try body(&span)
  }

  /// The bytes of a range, for the ring, whose frames are filled without a closure here. They must not outlive this
  /// object, which must be mapped for writing.
  func bytes(from offset: Int, count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    precondition(isWritable, "\(path) is mapped read-only")
    // UNSAFE: checked to lie within the mapping; bytes are bound as bytes only.
    return unsafe UnsafeMutableBufferPointer(
      start: address(of: offset, byteCount: count).assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Where byte `offset` lies, for the atomics of the ring. The pointer must not outlive this object.
  func address(of offset: Int, byteCount count: Int) -> UnsafeMutableRawPointer {
    precondition(offset >= 0 && count >= 0 && offset <= byteCount - count, "outside of the mapping")
    return unsafe base + offset
  }
}
