import Platform

/// A ring file, mapped for writing: the frames of one session, as long as they fit into its slots.
struct WritableRing {
  private let file: MappedFile
  private let layout: RingLayout
  private let magic: SharedAtomic
  private let state: SharedAtomic
  private let framesProduced: SharedAtomic
  private let framesDropped: SharedAtomic
  private let sequences: SharedAtomicRow
  private var slots: SlotAllocator
  /// The slot that is being filled.
  private var slot = 0

  /// Creates the file under a working name; it is complete before it is shown.
  init(
    path: String, slotCount: Int, payloadCapacity: Int, session: RingSession, leaseLimit: Duration
  ) throws(RingError) {
    guard payloadCapacity <= RingLayout.maximumPayload else {
      throw .frameTooLarge(byteCount: payloadCapacity)
    }
    layout = RingLayout(slotCount: slotCount, payloadCapacity: payloadCapacity)
    do { file = try MappedFile(creatingAt: path + ".new", byteCount: layout.byteCount) } catch {
      throw .storage(error)
    }
    file.populate()
    magic = SharedAtomic(at: RingLayout.Header.magic, of: file)
    state = SharedAtomic(at: RingLayout.Header.state, of: file)
    framesProduced = SharedAtomic(at: RingLayout.Header.framesProduced, of: file)
    framesDropped = SharedAtomic(at: RingLayout.Header.framesDropped, of: file)
    sequences = layout.sequences(of: file)
    slots = SlotAllocator(file: file, slotCount: slotCount, leaseLimit: leaseLimit)
    let layout = layout
    file.withMutableBytes(0..<RingLayout.Header.latest) { header in
      header.storeLittleEndian(RingLayout.magic, at: RingLayout.Header.magic)
      header.storeLittleEndian(RingLayout.version, at: RingLayout.Header.version)
      header.storeLittleEndian(UInt32(slotCount), at: RingLayout.Header.slotCount)
      header.storeLittleEndian(UInt64(layout.slotStride), at: RingLayout.Header.slotStride)
      header.storeLittleEndian(UInt64(RingLayout.slotsOffset), at: RingLayout.Header.slotsOffset)
      header.storeLittleEndian(UInt64(layout.byteCount), at: RingLayout.Header.fileSize)
      header.storeLittleEndian(session.id, at: RingLayout.Header.session)
      header.storeLittleEndian(session.startTime.nanoseconds, at: RingLayout.Header.startTime)
      header.storeLittleEndian(session.processID, at: RingLayout.Header.processID)
    }
    set(.live)
  }

  /// Puts the file in its place, in one step: readers see the old ring or the whole new one.
  func show(at path: String) throws(RingError) {
    do { try file.show(at: path) } catch { throw .storage(error) }
  }

  /// Which file it is, whatever its name.
  var identity: FileStatus.Identity { file.identity }
  /// The most bytes a frame may have.
  var payloadCapacity: Int { layout.payloadCapacity }
  /// Leases taken back because their readers died or held them for too long.
  var leasesTakenBack: UInt64 { slots.leasesTakenBack }

  /// Whether a frame of so many bytes fits, and the file is all there.
  func takes(_ byteCount: Int) -> Bool {
    // All bytes are 0 once a page behind the end of a file cut short was touched.
    byteCount <= layout.payloadCapacity && magic.loadRelaxed() == RingLayout.magic
  }

  /// Whether the file is at `path` and has its length: a page that was cut off and is not touched tells nothing.
  func isWhole(at path: String) -> Bool {
    do throws(SystemError) {
      let status = try System.statusWithoutFollowing(path)
      return status.identity == file.identity && status.byteCount == layout.byteCount
    } catch {
      return false
    }
  }

  /// Takes a slot for frame `number` and marks it as being written. End with ``commit(_:byteCount:)`` or
  /// ``abandon()``.
  /// - Returns: the first `byteCount` bytes of its payload; they live as long as this ring.
  @inline(__always)
  mutating func begin(_ number: UInt64, byteCount: Int) -> UnsafeMutableBufferPointer<UInt8> {
    slot = slots.take()
    // SYNC: the odd counter must be visible before any byte of the slot changes. The release fence orders the
    // store before the writes that follow; its partner is the acquire fence in FrameRingReader.isWhole. The store
    // itself releases `latest` as it was before; its partner is the fence in FrameRingReader.countOvertaken.
    sequences[slot].storeReleasing(RingLayout.writing(number))
    SharedAtomic.releaseFence()
    return unsafe file.bytes(
      from: layout.slotOffset(slot) + RingLayout.Slot.payload, count: byteCount)
  }

  /// Leaves the slot as it is: its counter says that it holds no frame.
  func abandon() { slots.giveBack(slot) }

  /// Makes the frame in the slot the newest.
  @inline(__always)
  mutating func commit(_ stamp: FrameStamp, byteCount: Int) {
    let start = layout.slotOffset(slot)
    file.withMutableBytes(start..<(start + RingLayout.Slot.payload)) { header in
      header.storeLittleEndian(stamp.number, at: RingLayout.Slot.frameNumber)
      header.storeLittleEndian(stamp.captureTime.nanoseconds, at: RingLayout.Slot.captureTime)
      header.storeLittleEndian(stamp.publishTime.nanoseconds, at: RingLayout.Slot.publishTime)
      header.storeLittleEndian(stamp.orientation, at: RingLayout.Slot.orientation)
      header.storeLittleEndian(UInt64(byteCount), at: RingLayout.Slot.payloadSize)
    }
    // SYNC: release; a reader that acquires this counter, or `latest`, sees the whole slot.
    sequences[slot].storeReleasing(RingLayout.complete(stamp.number))
    slots.publish(slot, number: stamp.number, at: stamp.publishTime)
    set(produced: stamp.number)
  }

  /// Says how many frames the session has published.
  func set(produced: UInt64) { framesProduced.storeRelaxed(produced) }

  /// Says how many frames of the session could not be published.
  func set(dropped: UInt64) { framesDropped.storeRelaxed(dropped) }

  /// Says what the session is up to.
  mutating func set(_ value: RingState) {
    // SYNC: release; partner is the acquire in FrameRingReader.state: who sees the state sees what was written
    // before it.
    state.storeReleasing(value.rawValue)
    if value == .finished || value == .replaced { slots.close() }
  }

  /// Says that the session is over, and with which error, if it was one.
  mutating func finish(with error: RingSessionError?) {
    if let error {
      file.withMutableBytes(0..<RingLayout.Header.byteCount) { header in
        header.storeLittleEndian(Int64(error.code), at: RingLayout.Header.errorCode)
        header.storeText(
          error.domain, at: RingLayout.Header.errorDomain, capacity: RingLayout.Header.errorDomainCapacity)
        header.storeText(
          error.text, at: RingLayout.Header.errorText, capacity: RingLayout.Header.errorTextCapacity)
      }
    }
    set(.finished)
  }
}
