import Platform

/// A mapped file that one process writes and others read without synchronisation: readers see torn writes. It serves
/// layouts that are defined that way, such as the article's; see ``FrameRingWriter`` for whole frames.
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

  /// Creates a file of `byteCount` zero bytes, which replaces the file at `path`. Its memory is reserved first.
  public init(path: String, byteCount: Int) throws(StorageError) {
    self.path = path
    file = try MappedFile(creatingFor: path, byteCount: byteCount)
    try file.moveIntoPlace(path)
  }

  /// The number of bytes.
  public var byteCount: Int { file.byteCount }

  /// Whether the file is still at its path, with all its bytes. Otherwise no reader sees what is written into it.
  public var isIntact: Bool { file.isIntact(at: path) && !file.isLost }

  /// Lends all bytes for writing. Other processes may read them at the same time: the layout accepts that race.
  public func withMutableBytes<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try file.withMutableBytes(0..<file.byteCount, body)
  }

  /// Removes the file, unless another file is at the path by now. Mappings of it stay valid.
  public func remove() throws(StorageError) { try file.removeFromPlace(path) }
}
