import Platform
import Synchronization

/// A reader's place on the readers' page of a ring, with which it can lease frames and sleep until the next one.
///
/// The place lasts as long as this object. If the process crashes, the kernel drops its lock.
final class ReaderRegistration: Sendable {
  private let file: MappedFile
  private let page: ReadersPage
  private let index: Int
  /// Per slot, the number of the frame this reader leases there; 0 for none. A reader leases a frame once.
  private let leased: Mutex<InlineArray<8, UInt64>>

  private var bit: UInt64 { ReadersPage.bit(index) }

  /// Registers a reader of `ring`, which must have been opened for sharing; `nil` if all places are taken.
  init?(in ring: MappedFile, slotCount: Int) throws(StorageError) {
    let start = RingLayout.Readers.page
    file = try ring.sharing(start..<(start + RingLayout.Readers.byteCount))
    page = ReadersPage(of: file, at: 0, slotCount: slotCount)
    leased = Mutex(InlineArray(repeating: 0))
    guard let index = try Self.lockFreeIndex(in: file) else { return nil }
    self.index = index
    // Removes what a crashed reader left at this index.
    page.clear(bit)
    // SYNC: release; the partner is the writer's load in SlotAllocator.acquire. The word carries nothing but itself.
    page.registered.storeReleasing(1)
  }

  private static func lockFreeIndex(in file: MappedFile) throws(StorageError) -> Int? {
    for index in 0..<RingLayout.Readers.capacity
    where try file.tryLock(byte: RingLayout.Readers.lockOffset(index)) {
      return index
    }
    return nil
  }

  deinit { page.clear(bit) }

  /// Marks this reader as sleeping until the next frame, or about to.
  func beginWaiting() {
    // SYNC: sequentially consistent, as the load of `latest` after it; see FrameRingReader.wait.
    page.waiting.setBitsSequentiallyConsistent(bit)
  }

  // SYNC: release; the partner is the writer's load in SlotAllocator.publish. If that comes before, it wakes nobody.
  func endWaiting() { page.waiting.clearBitsReleasing(bit) }

  /// Whether the writer still has a free slot beside the newest frame's if one more slot is leased.
  func leavesRoom(leasing slot: Int) -> Bool {
    var held = 0
    for other in page.holders.indices where other != slot {
      // SYNC: relaxed; an estimate. The writer finds a slot whatever it sees.
      if page.holders[other].loadRelaxed() & ReadersPage.allReaders != 0 { held += 1 }
    }
    return held < page.holders.count - 2
  }

  /// Asks the writer not to use `slot`, which holds frame `number`. Returns `false` if the writer is in it already.
  func hold(_ slot: Int, number: UInt64) -> Bool {
    leased.withLock { leased in
      // SYNC: acquire and release in one; the partners are SlotAllocator.release, whose slot is then seen as it is now,
      // and its replaceAcquiring, which fails from here on.
      let before = page.holders[slot].setBitsSequentiallyConsistent(bit)
      guard before & RingLayout.Readers.writer == 0 else {
        // A bit set while the writer is in the slot has no effect and is erased when the writer leaves.
        // SYNC: release, as in `release(_:number:)`; nothing of the slot was read.
        page.holders[slot].clearBitsReleasing(bit)
        return false
      }
      leased[slot] = number
      return true
    }
  }

  func release(_ slot: Int, number: UInt64) {
    leased.withLock { leased in
      // After a reclaimed lease, this reader may lease a newer frame in the same slot.
      guard leased[slot] == number else { return }
      leased[slot] = 0
      // SYNC: release; the partner is replaceAcquiring in SlotAllocator: the reads of the slot are complete.
      page.holders[slot].clearBitsReleasing(bit)
    }
  }
}

/// The words of a ring's readers' page, which readers that lease or wait write. No process trusts them: wrong values cost
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
    // SYNC: release; the partner is replaceAcquiring in SlotAllocator. Readers that ended read nothing after that.
    waiting.clearBitsReleasing(bits)
    for slot in holders.indices { holders[slot].clearBitsReleasing(bits & ~Readers.writer) }
  }

  /// The bits of all readers that lease or wait, crashed ones included.
  var activeReaders: UInt64 {
    // SYNC: relaxed; a bit that is set meanwhile is seen by a later search.
    holders.indices.reduce(waiting.loadRelaxed()) { $0 | holders[$1].loadRelaxed() } & Self.allReaders
  }

  static func bit(_ index: Int) -> UInt64 { 1 << UInt64(index) }
  static let allReaders = bit(Readers.capacity) - 1
}
