import Platform

/// A mapped file that one process writes and others read, with nothing between them that orders the two: readers
/// see halves of what is being written. For layouts that are made like that; see ``FrameRingWriter`` for frames.
///
/// ```swift
/// let file = try UnsynchronisedFile(path: path, byteCount: 10 << 20)
/// file.withMutableBytes { bytes in bytes[0] = 1 }
/// try file.remove()
/// ```
public final class UnsynchronisedFile {
  /// The path of the file.
  public let path: String
  private let file: MappedFile

  /// Creates a file of `byteCount` zero bytes, in place of one of that name. Its memory is reserved first.
  public init(path: String, byteCount: Int) throws(StorageError) {
    self.path = path
    file = try MappedFile(creatingAt: path + ".new", byteCount: byteCount)
    file.populate()
    try file.show(at: path)
  }

  /// The number of bytes.
  public var byteCount: Int { file.byteCount }

  /// Whether the file still is at its path, with all its bytes. Ask before a write: what is written into a file that
  /// is not reaches nobody.
  public var isWhole: Bool {
    do throws(SystemError) {
      let status = try System.statusWithoutFollowing(path)
      return status.identity == file.identity && status.byteCount == file.byteCount && !file.isLost
    } catch {
      return false
    }
  }

  /// Lends all bytes for writing. Others may be reading them meanwhile: the race is by design of the layout.
  public func withMutableBytes<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try file.withMutableBytes(0..<file.byteCount, body)
  }

  /// Removes the file. Who has it mapped keeps its bytes; a file of that name that is not this one is left alone.
  public func remove() throws(StorageError) {
    do throws(SystemError) {
      if try System.statusWithoutFollowing(path).identity == file.identity { try System.remove(path) }
    } catch {
      if error.code != System.Code.missing { throw .system(error) }
    }
  }
}
