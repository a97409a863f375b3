/// The last word of a ring's file, which repeats the magic number. It reads as 0 once the file was cut anywhere: pages beyond
/// the new end become zeros with the first access, and the kernel clears the rest of the last page, whatever its size.
@usableFromInline
struct EndMark: Sendable {
  /// The size in bytes; the file ends with it.
  static let byteCount = 8

  @usableFromInline let word: SharedAtomic
  @usableFromInline let magic: UInt64

  /// The mark of `file`, which must outlive it.
  init(of file: MappedFile, _ kind: RingKind) {
    word = SharedAtomic(at: file.byteCount - Self.byteCount, of: file)
    magic = kind.header.magic
  }

  /// Writes the mark into a new file.
  func set() { word.storeRelaxed(magic) }

  /// Whether the file has all its bytes.
  @inlinable
  var isPresent: Bool { word.loadRelaxed() == magic }
}
