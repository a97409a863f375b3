import Platform

/// The writer's choice of the slot for the next frame, and what it owes registered readers: it leaves slots that
/// they lease alone, takes back what a dead or stuck one holds, and wakes those that sleep.
///
/// It never waits, and there always is a slot: of those beside the newest frame's, one is had.
struct SlotAllocator {
  private typealias Readers = RingLayout.Readers

  private let file: MappedFile
  private let slotCount: Int
  private let page: ReadersPage
  private let latest: SharedAtomic
  private let honoured: SharedAtomic
  private let takenBackWord: SharedAtomic
  /// How many nanoseconds a reader may lease a frame that is no longer the newest.
  private let leaseLimit: UInt64
  /// When the frame in each slot ceased to be the newest, in the writer's own memory.
  private var outdated = InlineArray<8, MonotonicTime>(repeating: .zero)
  /// The slot of the newest frame; before the first, one as good as any.
  private var newest = 0
  /// When the newest frame was published. As good as the present moment: no slot is needed while no frame comes.
  private var lastPublish = MonotonicTime.zero
  /// Whether the readers' page is looked at: from the first publish after a reader registered.
  private(set) var isCareful = false
  /// Publishes until the dead may be looked for again, which costs system calls.
  private var untilNextSweep = 0
  /// Wakes in a row that found nobody, although somebody said to wait.
  private var idleWakes = 0
  /// Leases taken back.
  private(set) var leasesTakenBack: UInt64 = 0

  /// How many publishes, or idle wakes, lie between two searches for dead readers.
  private static let sweepInterval = 64

  init(file: MappedFile, slotCount: Int, leaseLimit: Duration) {
    self.file = file
    self.slotCount = slotCount
    self.leaseLimit = UInt64(clamping: leaseLimit.wholeNanoseconds)
    page = ReadersPage(of: file, at: Readers.page, slotCount: slotCount)
    latest = SharedAtomic(at: RingLayout.Header.latest, of: file)
    honoured = SharedAtomic(at: RingLayout.Header.honoured, of: file)
    takenBackWord = SharedAtomic(at: RingLayout.Header.leasesTakenBack, of: file)
  }

  /// Takes a slot other than the newest frame's. End with ``publish(_:number:at:)`` or ``giveBack(_:)``.
  @inline(__always)
  mutating func take() -> Int {
    if !isCareful {
      if page.registered.loadRelaxed() == 0 { return next(after: newest) }
      isCareful = true
      // SYNC: release; partner is the acquire load in FrameRingReader.lease. Who sees it sees no slot taken
      // without a look at the readers' page any more, but for those of frames up to the one in `latest`.
      honoured.storeReleasing(1)
    }
    return free() ?? takeBack()
  }

  /// Makes frame `number` in `slot` the newest, and wakes who waits for it.
  @inline(__always)
  mutating func publish(_ slot: Int, number: UInt64, at time: MonotonicTime) {
    outdated[newest] = time
    newest = slot
    lastPublish = time
    let word = RingLayout.pack(number, slot: slot)
    guard isCareful else {
      // SYNC: release; partner is the acquire load of `latest` in FrameRingReader.
      latest.storeReleasing(word)
      return
    }
    giveBack(slot)
    // SYNC: sequentially consistent, as the load of `waiting` after it; partners are the two of
    // FrameRingReader.wait in the other order. Either the reader sees the frame, or this sees the reader.
    latest.storeSequentiallyConsistent(word)
    if page.waiting.loadSequentiallyConsistent() != 0 { wake() }
  }

  /// Leaves a slot that was taken, with or without a frame in it.
  @inline(__always)
  func giveBack(_ slot: Int) {
    // SYNC: release; partner is the reader's change of the same word in ReaderRegistration.hold: who leases the
    // slot sees its counter as it is now.
    if isCareful { page.holders[slot].storeReleasing(0) }
  }

  /// Says that no frame will follow in this file, and wakes who waits for one.
  mutating func close() {
    // SYNC: as in publish.
    latest.storeSequentiallyConsistent(latest.loadRelaxed() | RingLayout.lastWord)
    if page.waiting.loadSequentiallyConsistent() != 0 { wake() }
  }

  private mutating func wake() {
    if latest.wakeAll() > 0 {
      idleWakes = 0
    } else {
      idleWakes += 1
      // A reader that is awake again already is the usual case; one that died is the other.
      if idleWakes % Self.sweepInterval == 0 { sweep() }
    }
  }

  private func next(after slot: Int) -> Int { slot + 1 < slotCount ? slot + 1 : 0 }

  /// The next slot nobody leases, or whose lease has lasted too long.
  private mutating func free() -> Int? {
    untilNextSweep -= 1
    var slot = next(after: newest)
    while slot != newest {
      if page.holders[slot].loadRelaxed() == 0 {
        // SYNC: acquire; partner is the release with which a reader ends its lease: its reads are over.
        if page.holders[slot].replaceAcquiring(0, with: Readers.writer) { return slot }
      } else if lastPublish.nanoseconds(since: outdated[slot]) > leaseLimit {
        return takeBack(slot)
      }
      slot = next(after: slot)
    }
    return nil
  }

  /// The slot of a dead reader, or else that of the oldest frame.
  private mutating func takeBack() -> Int {
    if untilNextSweep <= 0 {
      untilNextSweep = Self.sweepInterval
      sweep()
      if let slot = free() { return slot }
    }
    var oldest = next(after: newest)
    for slot in 0..<slotCount where slot != newest && outdated[slot] < outdated[oldest] { oldest = slot }
    return takeBack(oldest)
  }

  private mutating func takeBack(_ slot: Int) -> Int {
    // Whoever leased it learns so by the slot's counter.
    let holders = page.holders[slot].exchangeAcquiring(Readers.writer) & ReadersPage.everyReader
    leasesTakenBack += UInt64(holders.nonzeroBitCount)
    takenBackWord.storeRelaxed(leasesTakenBack)
    return slot
  }

  /// Forgets the readers that died: those whose byte of the file can be locked. And bits that are no reader's.
  private func sweep() {
    page.clear(~ReadersPage.everyReader)
    for index in 0..<Readers.capacity where page.marked & ReadersPage.bit(index) != 0 {
      let byte = Readers.lockOffset(index)
      do throws(StorageError) {
        guard try file.tryLock(byte: byte) else { continue }
        // While the byte is ours, nobody can register under this index.
        page.clear(ReadersPage.bit(index))
        try file.unlock(byte: byte)
      } catch {
        // Locks may be refused for want of kernel memory. What the dead hold is then taken back by its age.
        return
      }
    }
  }
}
