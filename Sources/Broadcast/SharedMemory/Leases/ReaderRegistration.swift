import Platform
import Synchronization

/// A reader's place on the readers' page of a ring: what lets it lease frames and sleep until the next one.
///
/// The place is the reader's for as long as this object lives; the kernel gives it back on any death.
final class ReaderRegistration: Sendable {
  private let file: MappedFile
  private let page: ReadersPage
  private let index: Int
  /// Per slot, the number of the frame this reader leases there; 0 for none. A reader leases a frame once.
  private let leased: Mutex<InlineArray<8, UInt64>>

  private var bit: UInt64 { ReadersPage.bit(index) }

  /// Registers a reader of the ring mapped by `ring`, which must have been opened for sharing; `nil` when as many
  /// as there can be are registered.
  init?(in ring: MappedFile, slotCount: Int) throws(StorageError) {
    let start = RingLayout.Readers.page
    file = try ring.sharing(start..<(start + RingLayout.Readers.byteCount))
    page = ReadersPage(of: file, at: 0, slotCount: slotCount)
    leased = Mutex(InlineArray(repeating: 0))
    guard let index = try Self.freeIndex(in: file) else { return nil }
    self.index = index
    // What a reader left that had the place before and died.
    page.clear(bit)
    // SYNC: release; partner is the writer's load in SlotAllocator.take. It tells nothing more than itself.
    page.registered.storeReleasing(1)
  }

  private static func freeIndex(in file: MappedFile) throws(StorageError) -> Int? {
    for index in 0..<RingLayout.Readers.capacity
    where try file.tryLock(byte: RingLayout.Readers.lockOffset(index)) {
      return index
    }
    return nil
  }

  deinit { page.clear(bit) }

  /// Says that this reader sleeps until the next frame, or is about to.
  func beginWaiting() {
    // SYNC: sequentially consistent, as the look at `latest` after it; see FrameRingReader.wait.
    page.waiting.setBitsSequentiallyConsistent(bit)
  }

  /// Says that it is awake.
  func endWaiting() { page.waiting.clearBitsReleasing(bit) }

  /// Whether a lease of one more slot leaves the writer one to write into beside the newest frame's.
  func leavesRoom(leasing slot: Int) -> Bool {
    var held = 0
    for other in page.holders.indices where other != slot {
      if page.holders[other].loadRelaxed() & ReadersPage.everyReader != 0 { held += 1 }
    }
    return held < page.holders.count - 2
  }

  /// Asks the writer to leave `slot` alone, in which frame `number` is; whether it was not in it already.
  func hold(_ slot: Int, number: UInt64) -> Bool {
    leased.withLock { leased in
      // SYNC: acquire and release in one; partners are SlotAllocator.giveBack, whose slot is then seen as it is
      // now, and its replaceAcquiring, which fails from here on.
      let before = page.holders[slot].setBitsSequentiallyConsistent(bit)
      guard before & RingLayout.Readers.writer == 0 else {
        // A bit set while the writer is in the slot means nothing, and is erased when it leaves.
        page.holders[slot].clearBitsReleasing(bit)
        return false
      }
      leased[slot] = number
      return true
    }
  }

  /// Ends the lease of frame `number` in `slot`.
  func release(_ slot: Int, number: UInt64) {
    leased.withLock { leased in
      // A lease that was taken back may have been followed by one of a newer frame in the same slot.
      guard leased[slot] == number else { return }
      leased[slot] = 0
      // SYNC: release; partner is replaceAcquiring in SlotAllocator: what was read is read.
      page.holders[slot].clearBitsReleasing(bit)
    }
  }
}
