/// The words of a ring's second page, which readers that lease or wait may write. Whoever maps it trusts none of
/// them: the worst that false ones do is to cost the writer time, and other readers their leases.
struct ReadersPage: Sendable {
  private typealias Readers = RingLayout.Readers

  /// Not 0 once a reader has registered.
  let registered: SharedAtomic
  /// A bit for each reader that sleeps, or is about to.
  let waiting: SharedAtomic
  /// Per slot, a bit for each reader that leases it, and the writer's.
  let holders: SharedAtomicRow

  /// The page that begins `offset` bytes into `file`, which must outlive it.
  init(of file: MappedFile, at offset: Int, slotCount: Int) {
    registered = SharedAtomic(at: offset + Readers.registered, of: file)
    waiting = SharedAtomic(at: offset + Readers.waiting, of: file)
    holders = SharedAtomicRow(
      at: offset + Readers.holders, stride: Readers.holderStride, count: slotCount, of: file)
  }

  /// Clears bits everywhere: those of readers that are no more.
  func clear(_ bits: UInt64) {
    waiting.clearBitsReleasing(bits)
    for slot in holders.indices { holders[slot].clearBitsReleasing(bits & ~Readers.writer) }
  }

  /// The bits of all readers that lease or wait, dead ones included.
  var marked: UInt64 {
    holders.indices.reduce(waiting.loadRelaxed()) { $0 | holders[$1].loadRelaxed() } & Self.everyReader
  }

  /// The bit of reader `index`.
  static func bit(_ index: Int) -> UInt64 { 1 << UInt64(index) }
  /// The bits that are some reader's.
  static let everyReader = bit(Readers.capacity) - 1
}
