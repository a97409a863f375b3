/// The words of a ring's second page, which readers that lease or wait write. No process trusts them: wrong values cost
/// the writer time and other readers their leases, and nothing more.
struct ReadersPage: Sendable {
  private typealias Readers = RingLayout.Readers

  /// 1 from the first registration on.
  let registered: SharedAtomic
  /// A bit per reader that sleeps, or is about to.
  let waiting: SharedAtomic
  /// Per slot, a bit per reader that leases it, and the writer's.
  let holders: SharedAtomicRow

  /// The page at `offset` of `file`, which must outlive it.
  init(of file: MappedFile, at offset: Int, slotCount: Int) {
    registered = SharedAtomic(at: offset + Readers.registered, of: file)
    waiting = SharedAtomic(at: offset + Readers.waiting, of: file)
    holders = SharedAtomicRow(
      at: offset + Readers.holders, stride: Readers.holderStride, count: slotCount, of: file)
  }

  /// Clears the bits of readers that ended, in all words.
  func clear(_ bits: UInt64) {
    waiting.clearBitsReleasing(bits)
    for slot in holders.indices { holders[slot].clearBitsReleasing(bits & ~Readers.writer) }
  }

  /// The bits of all readers that lease or wait, crashed ones included.
  var activeReaders: UInt64 {
    holders.indices.reduce(waiting.loadRelaxed()) { $0 | holders[$1].loadRelaxed() } & Self.allReaders
  }

  /// The bit of reader `index`.
  static func bit(_ index: Int) -> UInt64 { 1 << UInt64(index) }
  /// The bits that belong to readers.
  static let allReaders = bit(Readers.capacity) - 1
}
