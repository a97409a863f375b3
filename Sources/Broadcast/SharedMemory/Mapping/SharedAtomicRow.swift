/// Atomic words at equal distances in a mapping, such as one per slot of a ring.
@safe
struct SharedAtomicRow: Sendable {
  private let first: SharedAtomic
  private let wordStride: Int
  let count: Int

  /// `count` words, `stride` bytes apart, from `offset` of `file`, which must outlive them.
  init(at offset: Int, stride: Int, count: Int, of file: MappedFile) {
    precondition(stride % 8 == 0 && count > 0)
    first = SharedAtomic(at: offset, of: file)
    _ = SharedAtomic(at: offset + stride * (count - 1), of: file)
    wordStride = stride / 8
    self.count = count
  }

  var indices: Range<Int> { 0..<count }

  /// The word at `index`; traps if it is out of range.
  subscript(index: Int) -> SharedAtomic {
    precondition(index >= 0 && index < count, "no such word")
    // UNSAFE: between the first and the last word, which both lie within the mapping.
    return unsafe SharedAtomic(pointer: first.pointer + index * wordStride)
  }
}
