import Platform

/// The only writer of a frame ring.
///
/// ```swift
/// let ring = try FrameRingWriter(path: path, slotCount: 3, payloadCapacity: size)
/// try ring.publish(byteCount: size, captureTime: time, orientation: 1) { slot in
///   slot.copy(pixels)
/// }
/// try ring.finish()
/// ```
/// The caller must hold the `ProcessLock` of the container; two writers would corrupt each other's file. Not
/// thread-safe: one thread at a time publishes.
public final class FrameRingWriter: RingWriter {
  private let leaseLimit: Duration
  // Why unchecked: `begin` refuses a fill that publishes, so that no two accesses overlap. The check at run time would
  // cost as much as the publish.
  @exclusivity(unchecked) private var slots: SlotAllocator
  private var slot = 0
  private var lastNumber: UInt64 = 0
  private var isFilling = false
  /// The publish time from which on the file's place is checked again.
  private var nextCheck: MonotonicTime
  private var isMisplaced = false

  /// Creates a ring of `slotCount` slots, which replaces the file at `path`. Its memory is reserved and populated before
  /// this returns.
  /// - Parameters:
  ///   - slotCount: 2…8. A reader may use a frame for (slotCount − 1) frame periods before the writer overtakes it.
  ///   - payloadCapacity: the bytes of the largest frame expected, 1…256 MiB. A larger frame moves the session to a
  ///     larger file.
  ///   - leaseLimit: how long a reader may lease a frame that is no longer the newest; see
  ///     ``FrameRingReader/lease()``. A slot that is needed and leased for longer is reclaimed.
  ///   - startTime: when the session begins.
  /// - Throws: `frameTooLarge`, or `storage` if the file system has no room or refuses the file.
  public init(
    path: String, slotCount: Int, payloadCapacity: Int, leaseLimit: Duration = defaultLeaseLimit,
    startTime: MonotonicTime = SystemClock().now
  ) throws(RingError) {
    guard payloadCapacity <= RingLayout.maximumPayload else {
      throw .frameTooLarge(byteCount: payloadCapacity)
    }
    self.leaseLimit = leaseLimit
    nextCheck = startTime + Self.checkInterval
    let layout = RingLayout(slotCount: slotCount, payloadCapacity: payloadCapacity)
    let session = RingSession(startTime: startTime)
    let ring = try RingFile(layout, for: path, session: session)
    unsafe slots = SlotAllocator(of: ring.file, layout, leaseLimit: leaseLimit)
    try super.init(path: path, session: session, ring: ring)
  }

  /// The time between two checks that the file is still at its path: the interval of the status poll.
  static let checkInterval = Duration.milliseconds(500)

  /// One second.
  public static let defaultLeaseLimit = Duration.seconds(1)

  /// The number of frames published in this session.
  public var framesPublished: UInt64 { lastNumber }

  /// The number of leases reclaimed in the present file, because their readers crashed or held them too long.
  public var leasesReclaimed: UInt64 { unsafe slots.leasesReclaimed }

  /// Publishes one frame: lends `byteCount` bytes of the next slot to `fill`, then makes them the newest frame.
  ///
  /// Bytes that `fill` does not write keep those of an older frame. If `fill` throws, nothing is published. If another
  /// process truncates the file, the present frame is lost, and the next one goes into a new file. Not after
  /// ``finish(error:)``.
  /// - Parameter clock: gives the publish time, once the slot is filled.
  /// - Returns: the stamp of the published frame.
  @discardableResult
  @inlinable
  public func publish<Failure: Error, Time: MonotonicClock>(
    byteCount: Int, captureTime: MonotonicTime, orientation: UInt32, clock: Time = SystemClock(),
    _ fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) throws(PublishError<Failure>) -> FrameStamp {
    let slot: UnsafeMutableBufferPointer<UInt8>
    do { unsafe slot = try begin(byteCount: byteCount) } catch { throw .ring(error) }
    do {
      // UNSAFE: the bytes of the acquired slot, in a mapping that lives until the commit.
      var bytes = unsafe slot.mutableSpan
      try fill(&bytes)
    } catch {
      abandon()
      throw .fill(error)
    }
    return commit(
      byteCount: byteCount, captureTime: captureTime, publishTime: clock.now, orientation: orientation)
  }

  /// Acquires a slot for the next frame and marks it as being written.
  /// - Returns: the first `byteCount` bytes of its payload, valid until ``commit`` or ``abandon()``.
  @usableFromInline
  func begin(byteCount: Int) throws(RingError) -> UnsafeMutableBufferPointer<UInt8> {
    precondition(!isFinished, "the session is over")
    precondition(!isFilling, "a frame is published while another one is being filled")
    precondition(byteCount >= 0, "a frame has no negative size")
    if unsafe byteCount > slots.layout.payloadCapacity || !ring.isIntact {
      try moveToNewFile(for: byteCount)
    } else if isMisplaced {
      // Readers that have the old file mapped continue with it. The next check tries again.
      do { try moveToNewFile(for: byteCount) } catch {}
    }
    isFilling = true
    let slot = unsafe slots.acquire()
    self.slot = slot
    // SYNC: the odd counter must be visible before any byte of the slot changes. The release fence orders the store
    // before the writes that follow; its partner is the acquire fence in FrameRingReader.isIntact. The store itself
    // releases `latest` as it was before; its partner is the fence in FrameRingReader.countOvertaken.
    unsafe slots.sequences[slot].storeReleasing(RingLayout.writing(lastNumber + 1))
    SharedAtomic.releaseFence()
    return unsafe slots.bytes(of: slot, from: RingLayout.Slot.payload, count: byteCount)
  }

  /// Releases the slot without a frame: its counter stays odd.
  @usableFromInline
  func abandon() {
    isFilling = false
    unsafe slots.release(slot)
  }

  /// Makes the filled slot the newest frame.
  @usableFromInline
  func commit(
    byteCount: Int, captureTime: MonotonicTime, publishTime: MonotonicTime, orientation: UInt32
  ) -> FrameStamp {
    // Once: stores into the mapping may alias this object, as far as the compiler knows.
    let (slot, number) = (slot, lastNumber + 1)
    isFilling = false
    lastNumber = number
    // UNSAFE: the header of the acquired slot, in a mapping that this object owns.
    var header = unsafe slots.bytes(of: slot, from: 0, count: RingLayout.Slot.payload).mutableSpan
    header.storeLittleEndian(number, at: RingLayout.Slot.frameNumber)
    header.storeLittleEndian(captureTime.nanoseconds, at: RingLayout.Slot.captureTime)
    header.storeLittleEndian(publishTime.nanoseconds, at: RingLayout.Slot.publishTime)
    header.storeLittleEndian(orientation, at: RingLayout.Slot.orientation)
    header.storeLittleEndian(UInt64(byteCount), at: RingLayout.Slot.payloadSize)
    // SYNC: release; a reader that acquires this counter, or `latest`, sees the whole slot.
    unsafe slots.sequences[slot].storeReleasing(RingLayout.complete(number))
    unsafe slots.publish(slot, number: number, at: publishTime)
    unsafe slots.framesProduced.storeRelaxed(number)
    if publishTime > nextCheck { checkPlace(at: publishTime) }
    return FrameStamp(
      number: number, captureTime: captureTime, publishTime: publishTime, orientation: orientation)
  }

  /// Checks whether the file is still at its path. Not part of `commit`, which would save registers for it at every frame.
  @inline(never)
  private func checkPlace(at time: MonotonicTime) {
    nextCheck = time + Self.checkInterval
    isMisplaced = !ring.file.isIntact(at: path)
  }

  /// Marks the session as finished, for readers that have the file mapped, and removes the file.
  /// - Parameter error: the error the session ended with, if any.
  /// - Throws: ``StorageError`` if the file cannot be removed.
  public func finish(error: RingSessionError? = nil) throws(StorageError) {
    guard !isFinished else { return }
    if let error { ring.set(error) }
    defer { unsafe slots.close() }
    try removeFile()
  }

  /// Moves the session to a file with larger slots if the frame needs them, or to a new file of the same size.
  private func moveToNewFile(for byteCount: Int) throws(RingError) {
    guard byteCount <= RingLayout.maximumPayload else { throw .frameTooLarge(byteCount: byteCount) }
    // A truncation shows in the bytes and at the path. The second sign must not replace the new file.
    isMisplaced = false
    let present = unsafe slots.layout
    let layout = RingLayout(
      slotCount: present.slotCount,
      payloadCapacity: max(byteCount, min(present.payloadCapacity, RingLayout.maximumPayload)))
    let next = try RingFile(layout, for: path, session: session)
    let nextSlots = SlotAllocator(of: next.file, layout, leaseLimit: leaseLimit)
    nextSlots.framesProduced.storeRelaxed(lastNumber)
    try replaceFile(with: next)
    unsafe slots.close()
    unsafe slots = nextSlots
  }
}

extension FrameRingWriter {
  /// Why a frame was not published.
  public enum PublishError<Fill: Error>: Error {
    /// The closure that fills the slot threw.
    case fill(Fill)
    /// The ring has no room for the frame and could not be enlarged.
    case ring(RingError)
  }
}

extension RingFile {
  private typealias Header = RingLayout.Header

  /// Creates the complete file of a frame ring under a temporary name.
  fileprivate init(_ layout: RingLayout, for path: String, session: RingSession) throws(RingError) {
    try self.init(.frames, for: path, byteCount: layout.byteCount, session: session) { header in
      header.storeLittleEndian(UInt32(layout.slotCount), at: Header.slotCount)
      header.storeLittleEndian(UInt64(layout.slotStride), at: Header.slotStride)
      header.storeLittleEndian(UInt64(RingLayout.slotsOffset), at: Header.slotsOffset)
      header.storeLittleEndian(UInt64(layout.byteCount), at: Header.fileSize)
    }
  }

  fileprivate func set(_ error: RingSessionError) {
    file.withMutableBytes(0..<Header.byteCount) { header in
      header.storeLittleEndian(Int64(error.code), at: Header.errorCode)
      header.storeText(error.domain, at: Header.errorDomain, capacity: Header.errorDomainCapacity)
      header.storeText(error.text, at: Header.errorText, capacity: Header.errorTextCapacity)
    }
  }
}
