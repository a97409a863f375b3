import CBenchmark
import CPlatform
import Platform

/// A mapped file with a page of words and with slots, without the ring's synchronization. It is reserved and populated like
/// the ring's file, so that only the use of the bytes differs.
@safe
final class BareMapping {
  /// The offsets of the words, each on its own cache line.
  enum Word: Int {
    case newest = 0
    case time = 128
    case answer = 256
    case ended = 384
  }

  // UNSAFE: owned by this object from the mapping to the unmapping.
  private let base: UnsafeMutableRawPointer
  private let byteCount: Int
  private let slotStride: Int

  /// Maps the file. The first of the two processes creates it.
  init(path: String, slotCount: Int = 0, slotByteCount: Int = 0, creates: Bool) throws {
    slotStride = (slotByteCount + 4095) / 4096 * 4096
    byteCount = 4096 + slotCount * slotStride
    let file = try System.open(path, creates ? System.createNew : System.readWrite)
    if creates { try System.reserve(byteCount, in: file) }
    // UNSAFE: this object owns the range that was just mapped.
    unsafe base = try System.map(file, byteCount: byteCount, writable: true)
    unsafe System.populate(base, byteCount: byteCount, forWriting: true)
  }

  deinit {
    // UNSAFE: exactly the range that was mapped.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  @inline(__always)
  func word(_ word: Word) -> UnsafeMutablePointer<UInt64> {
    // UNSAFE: within the first page, which contains only such words.
    unsafe (base + word.rawValue).assumingMemoryBound(to: UInt64.self)
  }

  // UNSAFE: in the functions below, words of the mapping.
  @inline(__always)
  func store(_ value: UInt64, in word: Word) { unsafe benchmark_store(self.word(word), value) }

  @inline(__always)
  func load(_ word: Word) -> UInt64 { unsafe benchmark_load(self.word(word)) }

  @inline(__always)
  func slot(_ index: Int) -> UnsafeMutableRawPointer { unsafe base + 4096 + index * slotStride }
}
