import Platform

/// A mapped file with a page of words and with slots, without the ring's synchronisation. Reserved and populated like the
/// ring's file, so that only the use of the bytes differs.
@safe
final class BareMapping {
  /// The offsets of the words, each on a cache line of its own.
  enum Word: Int {
    case newest = 0
    case time = 128
    case answer = 256
    case ended = 384
  }

  // UNSAFE: owned by this object from the mapping to the unmapping.
  let base: UnsafeMutableRawPointer
  private let byteCount: Int
  private let slotStride: Int

  /// Maps the file, which the first of the two processes creates.
  init(path: String, slotCount: Int = 0, slotByteCount: Int = 0, creates: Bool) throws {
    slotStride = (slotByteCount + 4095) / 4096 * 4096
    byteCount = 4096 + slotCount * slotStride
    let file = try System.open(path, creates ? System.createNew : System.readWrite)
    if creates { try System.reserve(byteCount, in: file) }
    // UNSAFE: this object owns the range just mapped.
    unsafe base = try System.map(file, byteCount: byteCount, writable: true)
    unsafe System.populate(base, byteCount: byteCount, forWriting: true)
  }

  deinit {
    // UNSAFE: exactly the range that was mapped.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  func word(_ word: Word) -> UnsafeMutableRawPointer { unsafe base + word.rawValue }

  @inline(__always)
  func slot(_ index: Int) -> UnsafeMutableRawPointer { unsafe base + 4096 + index * slotStride }
}
