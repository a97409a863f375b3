import Platform

/// A file of a frame ring, mapped by its writer or a reader. It has the frames of a session as long as its slots are large
/// enough.
@safe
@usableFromInline
struct FrameRingFile: Sendable {
  private typealias Header = RingLayout.Header

  @usableFromInline var ring: RingFile
  let layout: RingLayout
  let sequences: SharedAtomicRow
  let produced: SharedAtomic
  @usableFromInline let latest: SharedAtomic
  /// The first slot. A pointer, because a reference to the file would be counted at each use.
  // Why nonisolated(unsafe): the pointer never changes, and only the writer uses it.
  private nonisolated(unsafe) let firstSlot: UnsafeMutableRawPointer

  /// Creates the complete file under a temporary name.
  /// - Parameter framesProduced: the number of frames of the session in earlier files.
  init(
    creatingFor path: String, _ layout: RingLayout, session: RingSession, framesProduced count: UInt64 = 0
  ) throws(FileError) {
    let ring = try RingFile(
      RingLayout.self, creatingFor: path, byteCount: layout.byteCount, session: session
    ) { header in
      header.storeLittleEndian(UInt32(layout.slotCount), at: Header.slotCount)
      header.storeLittleEndian(UInt64(layout.slotStride), at: Header.slotStride)
      header.storeLittleEndian(UInt64(RingLayout.slotsOffset), at: Header.slotsOffset)
      header.storeLittleEndian(UInt64(layout.byteCount), at: Header.fileSize)
    }
    self.init(ring, layout)
    produced.storeRelaxed(count)
  }

  /// Maps the file at `path` for reading. Every number in its header is validated before it is used.
  init(at path: String) throws(FileError) {
    let ring = try RingFile(RingLayout.self, at: path)
    guard let layout = RingLayout(of: ring) else { throw FileError(.damaged, path) }
    try ring.populate()
    self.init(ring, layout)
  }

  private init(_ ring: RingFile, _ layout: RingLayout) {
    self.ring = ring
    self.layout = layout
    // UNSAFE: bytes of the file that this value owns.
    unsafe firstSlot = ring.file.address(
      of: RingLayout.slotsOffset, byteCount: layout.slotCount * layout.slotStride)
    sequences = SharedAtomicRow(
      at: Header.sequences, stride: Header.sequenceStride, count: layout.slotCount, of: ring.file)
    produced = SharedAtomic(at: Header.framesProduced, of: ring.file)
    latest = SharedAtomic(at: Header.latest, of: ring.file)
  }

  /// Makes frame `number` in `slot` the newest frame, and wakes the readers that are waiting for it.
  @inline(__always)
  func publish(_ slot: Int, number: UInt64) {
    // SYNC: release; the partner is the acquire load of `latest` in FrameRingReader. The wake-up after it is a full barrier,
    // whose partner is the barrier of the sleep in FrameRingReader.wait: the sleep compares this value, or is woken.
    latest.storeReleasing(RingLayout.pack(number, slot: slot))
    wake()
    produced.storeRelaxed(number)
  }

  // A separate function, because `publish` would save registers for the system call.
  @inline(never)
  private func wake() { latest.wakeAll() }

  /// Marks that no frame follows in this file, and wakes the readers that are waiting for a frame.
  func close() {
    // SYNC: as in `publish`.
    latest.storeReleasing(latest.loadRelaxed() | RingLayout.lastWord)
    wake()
  }

  /// Returns `count` bytes of a slot from `offset` on. They must not outlive this value.
  @inline(__always)
  func bytes(of slot: Int, from offset: Int, count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    precondition(slot >= 0 && slot < layout.slotCount, "there is no such slot")
    precondition(offset >= 0 && count >= 0 && count <= layout.slotStride - offset, "outside of the slot")
    // UNSAFE: checked to lie within the slot; bytes are bound as bytes only.
    let start = unsafe firstSlot + (slot &* layout.slotStride &+ offset)
    return unsafe UnsafeMutableBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }
}
