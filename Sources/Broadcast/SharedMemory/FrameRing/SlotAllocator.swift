import Platform

/// The slots of a ring's file, and the writer's choice of the one for the next frame. It does not use slots that readers
/// lease, reclaims those of crashed or slow readers, and wakes readers that sleep.
///
/// It never waits: at least one slot beside the newest frame's is free or can be reclaimed.
@safe
struct SlotAllocator {
  private typealias Readers = RingLayout.Readers

  let layout: RingLayout
  let sequences: SharedAtomicRow
  let framesProduced: SharedAtomic
  private let file: MappedFile
  /// The first slot. A reference to the file would be counted at each use.
  private let firstSlot: UnsafeMutableRawPointer
  private let page: ReadersPage
  private let latest: SharedAtomic
  private let leasingEnabled: SharedAtomic
  private let reclaimedWord: SharedAtomic
  /// How many nanoseconds a reader may lease a frame that is no longer the newest.
  private let leaseLimit: UInt64
  /// When the frame in each slot ceased to be the newest, in the writer's own memory.
  private var outdated = InlineArray<8, MonotonicTime>(repeating: .zero)
  /// The slot of the newest frame; any slot before the first.
  private var newest = 0
  /// When the newest frame was published. It replaces the present time: without new frames no slot is needed.
  private var lastPublish = MonotonicTime.zero
  /// Whether the readers' page is read: from the first publish after a reader registered.
  private(set) var leasesInUse = false
  /// The number of publishes until the next search for crashed readers, which costs system calls.
  private var untilNextSweep = 0
  /// The number of wakes in a row without a sleeping reader, although one was marked as waiting.
  private var idleWakes = 0
  private(set) var leasesReclaimed: UInt64 = 0

  /// The number of publishes, or of idle wakes, between two searches for crashed readers.
  private static let sweepInterval = 64

  init(of file: MappedFile, _ layout: RingLayout, leaseLimit: Duration) {
    self.file = file
    self.layout = layout
    // UNSAFE: bytes of the file that this value owns.
    unsafe firstSlot = file.address(
      of: RingLayout.slotsOffset, byteCount: layout.slotCount * layout.slotStride)
    sequences = layout.sequences(of: file)
    framesProduced = SharedAtomic(at: RingLayout.Header.framesProduced, of: file)
    self.leaseLimit = UInt64(clamping: leaseLimit.wholeNanoseconds)
    page = ReadersPage(of: file, at: Readers.page, slotCount: layout.slotCount)
    latest = SharedAtomic(at: RingLayout.Header.latest, of: file)
    leasingEnabled = SharedAtomic(at: RingLayout.Header.leasingEnabled, of: file)
    reclaimedWord = SharedAtomic(at: RingLayout.Header.leasesReclaimed, of: file)
  }

  /// Acquires a slot other than the newest frame's, until ``publish(_:number:at:)`` or ``release(_:)``.
  @inline(__always)
  mutating func acquire() -> Int {
    if !leasesInUse {
      // SYNC: relaxed; the partner is the store in ReaderRegistration. The word carries nothing but itself.
      if page.registered.loadRelaxed() == 0 { return next(after: newest) }
      leasesInUse = true
      // SYNC: release; the partner is the acquire load in FrameRingReader.lease. From here on the writer reads the
      // readers' page before it acquires a slot, except for slots of frames up to the one in `latest`.
      leasingEnabled.storeReleasing(1)
    }
    return nextFree() ?? reclaim()
  }

  /// Makes frame `number` in `slot` the newest, and wakes the readers that wait for it.
  @inline(__always)
  mutating func publish(_ slot: Int, number: UInt64, at time: MonotonicTime) {
    outdated[newest] = time
    newest = slot
    lastPublish = time
    let word = RingLayout.pack(number, slot: slot)
    guard leasesInUse else {
      // SYNC: release; the partner is the acquire load of `latest` in FrameRingReader.
      latest.storeReleasing(word)
      return
    }
    release(slot)
    // SYNC: sequentially consistent, as the load of `waiting` after it; the partners are the two operations of
    // FrameRingReader.wait in the other order. Either the reader sees the frame, or this sees the reader.
    latest.storeSequentiallyConsistent(word)
    if page.waiting.loadSequentiallyConsistent() != 0 { wake() }
  }

  /// The first bytes of a slot from `offset` on. They must not outlive this value.
  @inline(__always)
  func bytes(of slot: Int, from offset: Int, count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    precondition(slot >= 0 && slot < layout.slotCount, "there is no such slot")
    precondition(offset >= 0 && count >= 0 && count <= layout.slotStride - offset, "outside of the slot")
    // UNSAFE: checked to lie within the slot; bytes are bound as bytes only.
    let start = unsafe firstSlot + (slot &* layout.slotStride &+ offset)
    return unsafe UnsafeMutableBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Releases an acquired slot, with or without a frame in it.
  @inline(__always)
  func release(_ slot: Int) {
    // SYNC: release; the partner is the reader's change of the same word in ReaderRegistration.hold: a reader that
    // leases the slot sees its counter as it is now.
    if leasesInUse { page.holders[slot].storeReleasing(0) }
  }

  /// Marks that no frame follows in this file, and wakes the readers that wait for one.
  mutating func close() {
    // SYNC: as in publish.
    latest.storeSequentiallyConsistent(latest.loadRelaxed() | RingLayout.lastWord)
    if page.waiting.loadSequentiallyConsistent() != 0 { wake() }
  }

  // Not part of `publish`, which would save registers for the system call at every frame.
  @inline(never)
  private mutating func wake() {
    if latest.wakeAll() > 0 {
      idleWakes = 0
    } else {
      idleWakes += 1
      // Usually the reader is awake already; otherwise it crashed.
      if idleWakes % Self.sweepInterval == 0 { sweep() }
    }
  }

  private func next(after slot: Int) -> Int { slot + 1 < layout.slotCount ? slot + 1 : 0 }

  /// The next slot without a lease, or whose lease has lasted too long.
  private mutating func nextFree() -> Int? {
    untilNextSweep -= 1
    var slot = next(after: newest)
    while slot != newest {
      // SYNC: relaxed; the change below decides.
      if page.holders[slot].loadRelaxed() == 0 {
        // SYNC: acquire; the partner is the release with which a reader ends its lease: its reads are complete.
        if page.holders[slot].replaceAcquiring(0, with: Readers.writer) { return slot }
      } else if lastPublish.nanoseconds(since: outdated[slot]) > leaseLimit {
        return reclaim(slot)
      }
      slot = next(after: slot)
    }
    return nil
  }

  /// The slot of a crashed reader, or else that of the oldest frame.
  private mutating func reclaim() -> Int {
    if untilNextSweep <= 0 {
      untilNextSweep = Self.sweepInterval
      sweep()
      if let slot = nextFree() { return slot }
    }
    var oldest = next(after: newest)
    for slot in 0..<layout.slotCount where slot != newest && outdated[slot] < outdated[oldest] {
      oldest = slot
    }
    return reclaim(oldest)
  }

  private mutating func reclaim(_ slot: Int) -> Int {
    // SYNC: acquire; the partner is the release with which a reader ends its lease. A reader that has not ended it may
    // still read the slot, and notices the reclaim by the slot's counter.
    let holders = page.holders[slot].exchangeAcquiring(Readers.writer) & ReadersPage.allReaders
    leasesReclaimed += UInt64(holders.nonzeroBitCount)
    reclaimedWord.storeRelaxed(leasesReclaimed)
    return slot
  }

  /// Clears the bits of crashed readers, whose byte of the file can be locked, and bits that belong to no reader.
  private func sweep() {
    page.clear(~ReadersPage.allReaders)
    for index in 0..<Readers.capacity where page.activeReaders & ReadersPage.bit(index) != 0 {
      let byte = Readers.lockOffset(index)
      do throws(StorageError) {
        guard try file.tryLock(byte: byte) else { continue }
        // No reader can register at this index while the writer holds its byte.
        page.clear(ReadersPage.bit(index))
        try file.unlock(byte: byte)
      } catch {
        // The kernel may lack memory for locks. The slots of crashed readers are then reclaimed by their age.
        return
      }
    }
  }
}
