import CPlatform
import Platform

/// A file mapped into memory that several processes share.
///
/// ```swift
/// let file = try MappedFile(path: "/…/frames.ring")
/// file.withBytes { bytes in bytes[0] }
/// ```
/// The size is determined when the file is mapped. If another process truncates the file, this process does not crash. Instead
/// the bytes read as zeros from then on, and ``isLost`` is `true`.
@safe
public final class MappedFile: @unchecked Sendable {
  // Why unchecked: the address and the length never change. The bytes are shared with other processes in any case; the ring types
  // define which process may write which bytes, and order the accesses with atomics.

  /// The path at which the file was opened or created.
  public let path: String
  /// The number of mapped bytes.
  public let byteCount: Int
  /// The identity of the file, which survives a rename.
  let identity: FileStatus.Identity
  @usableFromInline
  let base: UnsafeMutableRawPointer
  @usableFromInline
  let isWritable: Bool
  private let guardTicket: Int32
  /// Maps an existing plain file of this user read-only.
  public convenience init(path: String) throws(FileError) {
    try self.init(file: try PlainFile.open(path), path: path, isWritable: false)
  }

  /// Creates and populates a file of `byteCount` zero bytes for `place`, under a temporary name next to it.
  ///
  /// The blocks of the file are reserved first. This throws if the file system has no room, so that no later write can fail for
  /// that reason.
  package convenience init(creatingFor place: String, byteCount: Int) throws(FileError) {
    let path = place + ".new"
    let file = try PlainFile.create(path)
    do {
      try System.reserve(byteCount, in: file)
      try self.init(file: file, path: path, isWritable: true)
    } catch {
      // An incomplete file would keep its reserved memory.
      System.removeLeftover(path)
      throw error
    }
    populate()
  }

  private init(file: borrowing FileDescriptor, path: String, isWritable: Bool) throws(FileError) {
    let status = try System.status(of: file)
    byteCount = status.byteCount
    guard byteCount > 0 else { throw FileError(.empty, path) }
    identity = status.identity
    // UNSAFE: this object owns the range until deinit unmaps it.
    unsafe base = try System.map(file, byteCount: byteCount, writable: isWritable)
    self.path = path
    self.isWritable = isWritable
    do throws(FileError) {
      guardTicket = unsafe try System.guardMemory(GUARD_OF_MAPPINGS, base, byteCount: byteCount, of: path)
    } catch {
      // Before the last property is set, so that no deinit runs.
      unsafe System.unmap(base, byteCount: byteCount)
      throw error
    }
  }

  deinit {
    memory_guard_remove(GUARD_OF_MAPPINGS, guardTicket)
    // UNSAFE: no reference to the range is left, since spans and pointers leave only inside closures.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  /// Whether the file was truncated while it was mapped. From then on the bytes are zeros that only this process sees.
  public var isLost: Bool { memory_guard_count(GUARD_OF_MAPPINGS, guardTicket) != 0 }

  /// Populates all pages now, so that first accesses are fast.
  public func populate() {
    // UNSAFE: the complete range of this object.
    unsafe System.populate(base, byteCount: byteCount, forWriting: isWritable)
  }

  /// Provides access to all bytes for reading. Another process may write them at the same time.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // UNSAFE: the range is mapped as long as `self` lives, which is longer than `body` runs.
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: byteCount)
    defer { withExtendedLifetime(self) {} }
    return try unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes throws(Failure) in
      try unsafe body(bytes.span)
    }
  }

  /// Provides access to the bytes of `range` for writing. The file must have been created by this object.
  package func withMutableBytes<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(isWritable, "\(path) is mapped read-only")
    // UNSAFE: checked to lie within the mapping, which lives longer than `body` runs; bytes are bound as bytes only.
    let start = unsafe address(of: range.lowerBound, byteCount: range.count)
    let bytes = unsafe UnsafeMutableBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: range.count)
    defer { withExtendedLifetime(self) {} }
    var span = unsafe bytes.mutableSpan
    return try body(&span)
  }

  /// Returns the address of the byte at `offset`, for the atomics and slots of the ring. It must not outlive this object.
  func address(of offset: Int, byteCount count: Int) -> UnsafeMutableRawPointer {
    precondition(offset >= 0 && count >= 0 && offset <= byteCount - count, "outside of the mapping")
    return unsafe base + offset
  }
}

// After its creation under a temporary name, a file is moved into place, checked to still be there, and finally removed.
extension MappedFile {
  /// Renames the file to `place` atomically: a reader that opens the path gets either the old file or the complete new one. If
  /// the rename fails, the file is removed.
  package func moveIntoPlace(_ place: String) throws(FileError) {
    do { try PlainFile.move(path, to: place) } catch {
      System.removeLeftover(path)
      throw error
    }
  }

  /// Whether `path` names this file; `nil` if nothing is there.
  package func isAt(_ path: String) throws(FileError) -> Bool? {
    try FileStatus.read(at: path).map { $0.identity == identity }
  }

  /// Whether the file is at `path` and has all its bytes. A truncated page is not noticed in memory before it is accessed.
  package func isIntact(at path: String) -> Bool {
    do throws(FileError) {
      let status = try FileStatus.read(at: path)
      return status?.identity == identity && status?.byteCount == byteCount
    } catch {
      return false
    }
  }

  /// Removes the file from `path`, unless another file is there now.
  package func removeFromPlace(_ path: String) throws(FileError) {
    if try isAt(path) == true { try System.removeIfPresent(path) }
  }
}
