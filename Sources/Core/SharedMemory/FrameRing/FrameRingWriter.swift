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
/// The caller must hold the `ProcessLock` of the container, because two writers would corrupt each other's file. Not thread-safe:
/// only one thread at a time may publish.
public final class FrameRingWriter: OpenRing {
  // Why unchecked: `begin` traps if `fill` publishes, so accesses never overlap. The runtime check would cost as much as the
  // publish.
  @exclusivity(unchecked) private var frames: FrameRingFile
  /// The slot of the next frame, after the newest frame's slot. Before the first frame, `latest` names slot 0.
  private var nextSlot = 1
  private var lastNumber: UInt64 = 0
  private var isFilling = false
  /// The publish time from which on the file's path is checked again.
  private var nextCheck: MonotonicTime
  private var isMisplaced = false

  /// Creates a ring of `slotCount` slots, replacing the file at `path`. Its memory is reserved and populated before this returns.
  /// - Parameters:
  ///   - slotCount: 2…8. A reader may use a frame for (slotCount − 1) frame periods before the writer overtakes it.
  ///   - payloadCapacity: the size of the largest expected frame in bytes (1 byte to 256 MiB). A larger frame moves the session
  ///     to a larger file.
  ///   - startTime: the time at which the session begins.
  /// - Throws: `frameTooLarge`, or the error of a file system that has no room or rejects the file.
  public init(
    path: String, slotCount: Int, payloadCapacity: Int, startTime: MonotonicTime = SystemClock().now
  ) throws(FileError) {
    try Self.check(payloadCapacity, path)
    nextCheck = startTime + Self.checkInterval
    let layout = RingLayout(slotCount: slotCount, payloadCapacity: payloadCapacity)
    let frames = try FrameRingFile(creatingFor: path, layout, session: RingSession(startTime: startTime))
    unsafe self.frames = frames
    try frames.ring.moveIntoPlace()
  }

  /// The interval of checks that the file is still at its path. Equal to the interval of the status poll.
  static let checkInterval = Duration.milliseconds(500)

  /// The current file.
  public var ring: RingFile { unsafe frames.ring }

  /// Whether readers see the session as paused.
  public var isPaused: Bool {
    get { unsafe frames.ring.isPaused }
    set { unsafe frames.ring.isPaused = newValue }
  }

  /// Counts frames that arrived but could not be published.
  public func countDrop(_ count: UInt64 = 1) { unsafe frames.ring.countDrop(count) }

  /// The number of frames published in this session.
  public var framesPublished: UInt64 { lastNumber }

  /// Publishes a frame: passes `byteCount` bytes of the next slot to `fill`, and then makes them the newest frame.
  ///
  /// Bytes that `fill` does not write keep the values of an older frame. If another process truncates the file, the current frame
  /// is lost, and the next frame goes into a new file. Must not be called after ``finish(error:)``.
  /// - Parameter clock: the clock for the publish time. It is read once the slot is filled.
  /// - Returns: the stamp of the published frame.
  @discardableResult
  @inlinable
  public func publish<Time: MonotonicClock>(
    byteCount: Int, captureTime: MonotonicTime, orientation: UInt32, clock: Time = SystemClock(),
    _ fill: (inout MutableSpan<UInt8>) -> Void
  ) throws(FileError) -> FrameStamp {
    let slot = unsafe try begin(byteCount: byteCount)
    // UNSAFE: the bytes of the acquired slot, in a mapping that lives until the commit.
    var bytes = unsafe slot.mutableSpan
    fill(&bytes)
    return commit(
      byteCount: byteCount, captureTime: captureTime, publishTime: clock.now, orientation: orientation)
  }

  /// Acquires a slot for the next frame, and marks it as being written.
  /// - Returns: the first `byteCount` bytes of its payload, valid until ``commit``.
  @usableFromInline
  func begin(byteCount: Int) throws(FileError) -> UnsafeMutableBufferPointer<UInt8> {
    precondition(unsafe !frames.ring.isFinished, "the session is over")
    precondition(!isFilling, "a frame is published while another frame is being filled")
    precondition(byteCount >= 0, "a frame has no negative size")
    if unsafe byteCount > frames.layout.payloadCapacity || !frames.ring.isIntact {
      try moveToNewFile(for: byteCount)
    } else if isMisplaced {
      // Readers that have the old file mapped continue with it. The next check tries again.
      do { try moveToNewFile(for: byteCount) } catch {}
    }
    isFilling = true
    let slot = nextSlot
    // SYNC: the odd counter must be visible before any byte of the slot changes. The release fence orders the store before the
    // writes that follow; its partner is the acquire fence in FrameRingReader.isIntact. The store itself releases the previous
    // value of `latest`; its partner is the fence in FrameRingReader.countOvertaken.
    unsafe frames.sequences[slot].storeReleasing(RingLayout.writing(lastNumber + 1))
    SharedAtomic.releaseFence()
    return unsafe frames.bytes(of: slot, from: RingLayout.Slot.payload, count: byteCount)
  }

  /// Makes the filled slot the newest frame.
  @usableFromInline
  func commit(
    byteCount: Int, captureTime: MonotonicTime, publishTime: MonotonicTime, orientation: UInt32
  ) -> FrameStamp {
    // Read them once: as far as the compiler knows, stores into the mapping may alias this object.
    let (slot, number) = (nextSlot, lastNumber + 1)
    isFilling = false
    lastNumber = number
    nextSlot = unsafe slot + 1 < frames.layout.slotCount ? slot + 1 : 0
    // UNSAFE: the header of the acquired slot, in a mapping that this object owns.
    var header = unsafe frames.bytes(of: slot, from: 0, count: RingLayout.Slot.payload).mutableSpan
    header.storeLittleEndian(number, at: RingLayout.Slot.frameNumber)
    header.storeLittleEndian(captureTime.nanoseconds, at: RingLayout.Slot.captureTime)
    header.storeLittleEndian(publishTime.nanoseconds, at: RingLayout.Slot.publishTime)
    header.storeLittleEndian(orientation, at: RingLayout.Slot.orientation)
    header.storeLittleEndian(UInt64(byteCount), at: RingLayout.Slot.payloadSize)
    // SYNC: release; a reader that acquires this counter, or `latest`, sees the whole slot.
    unsafe frames.sequences[slot].storeReleasing(RingLayout.complete(number))
    unsafe frames.publish(slot, number: number)
    if publishTime > nextCheck { checkPlace(at: publishTime) }
    return FrameStamp(
      number: number, captureTime: captureTime, publishTime: publishTime, orientation: orientation)
  }

  /// Checks whether the file is still at its path. A separate function, because `commit` would save registers for it at every
  /// frame.
  @inline(never)
  private func checkPlace(at time: MonotonicTime) {
    nextCheck = time + Self.checkInterval
    isMisplaced = unsafe !frames.ring.file.isIntact(at: path)
  }

  /// Marks the session as finished for readers that have the file mapped, and removes the file.
  /// - Parameter error: the error that ended the session, if any.
  /// - Throws: ``FileError`` if the file cannot be removed.
  public func finish(error: RingSessionError? = nil) throws(FileError) {
    guard unsafe !frames.ring.isFinished else { return }
    if let error { store(error) }
    defer { unsafe frames.close() }
    try unsafe frames.ring.finish()
  }

  private func store(_ error: RingSessionError) {
    typealias Header = RingLayout.Header
    unsafe frames.ring.file.withMutableBytes(0..<Header.byteCount) { header in
      header.storeLittleEndian(Int64(error.code), at: Header.errorCode)
      header.storeText(error.domain, at: Header.errorDomain, capacity: Header.errorDomainCapacity)
      header.storeText(error.text, at: Header.errorText, capacity: Header.errorTextCapacity)
    }
  }

  /// Throws if the payload is larger than a slot may be.
  private static func check(_ byteCount: Int, _ path: String) throws(FileError) {
    let limit = RingLayout.maximumPayload
    if byteCount > limit { throw FileError(.frameTooLarge(byteCount: byteCount, limit: limit), path) }
  }

  /// Moves the session to a new file: with larger slots if the frame needs them, otherwise of the same size.
  private func moveToNewFile(for byteCount: Int) throws(FileError) {
    try Self.check(byteCount, path)
    // A truncation shows both in the bytes and at the path. The second sign must not replace the new file.
    isMisplaced = false
    let present = unsafe frames.layout
    let layout = RingLayout(
      slotCount: present.slotCount,
      payloadCapacity: max(byteCount, min(present.payloadCapacity, RingLayout.maximumPayload)))
    var next = try FrameRingFile(
      creatingFor: path, layout, session: session, framesProduced: lastNumber)
    try unsafe frames.ring.move(to: &next.ring)
    unsafe frames.close()
    unsafe frames = next
    nextSlot = 1
  }
}
