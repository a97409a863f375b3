import Platform

/// A reader of a frame ring. Any number of readers may exist, in any process of the user.
///
/// ```swift
/// let ring = try FrameRingReader(path: path)
/// while let frame = try ring.next({ stamp, payload in … }) { … }
/// ```
/// The file is mapped read-only: a reader cannot block or corrupt the writer. It uses a frame in place and then checks
/// whether the writer has overtaken it. If so, it discards what it read and takes the newest frame.
///
/// It can also sleep until the next frame with ``wait(until:clock:)``. Not thread-safe: one thread at a time reads.
public final class FrameRingReader: OpenRing {
  private typealias Header = RingLayout.Header

  /// The number of reads discarded because the writer overtook them.
  public private(set) var overtaken: UInt64 = 0
  @usableFromInline
  let frames: FrameRingFile
  /// The number of the frame read last; 0 before the first.
  public var lastNumber: UInt64 { unsafe lastRead }
  // Why unchecked: no access lasts longer than a load or a store. The check at run time would cost as much as the poll.
  @usableFromInline
  @exclusivity(unchecked) var lastRead: UInt64 = 0
  @usableFromInline
  let checksAfterwards: Bool

  /// Opens the ring at `path`. Every number in its header is checked before it is used.
  /// - Throws: if the file cannot be opened; `notARing`, `otherVersion` or `damaged` for its content; `cutShort` if it is
  ///   truncated at that moment.
  public convenience init(path: String) throws(FileError) {
    try self.init(path: path, checksAfterwards: true)
  }

  /// - Parameter checksAfterwards: `false` only in a control test, which must see torn frames.
  package init(path: String, checksAfterwards: Bool) throws(FileError) {
    frames = try FrameRingFile(at: path)
    self.checksAfterwards = checksAfterwards
  }

  /// The mapped file.
  public var ring: RingFile { frames.ring }

  /// The error the session ended with; `nil` before its end, and if it ended without one.
  public var sessionError: RingSessionError? {
    guard state == .finished else { return nil }
    return frames.ring.file.withBytes { bytes in
      let domain = bytes.loadText(at: Header.errorDomain, capacity: Header.errorDomainCapacity)
      guard !domain.isEmpty else { return nil }
      return RingSessionError(
        domain: domain, code: Int(bytes.loadLittleEndian(at: Header.errorCode, as: Int64.self)),
        text: bytes.loadText(at: Header.errorText, capacity: Header.errorTextCapacity))
    }
  }

  /// The number of frames the writer has published in its session.
  public var framesPublished: UInt64 {
    // A larger file of a session has no newest frame at first, but the count of its predecessors.
    // SYNC: acquire and relaxed; the partners are the two stores in FrameRingFile.publish. A count, by which nothing else
    // is read.
    return max(RingLayout.unpack(frames.latest.loadAcquiring()).number, frames.produced.loadRelaxed())
  }

  /// The number of frames that reached the writer and could not be published.
  public var framesDropped: UInt64 { frames.ring.dropCount }

  /// Skips the frames up to `number`, which were read from an earlier file of the same session.
  public func skip(through number: UInt64) { unsafe lastRead = max(lastRead, number) }

  /// Whether there is a frame newer than the one read last.
  @inlinable
  public var hasNewFrame: Bool {
    // SYNC: acquire, so that a read that follows is at least as new; the partner is the store in FrameRingFile.publish.
    unsafe frames.latest.loadAcquiring() >> 8 > lastRead
  }

  /// Reads the newest frame, if it is newer than the one read last.
  ///
  /// `body` may run more than once: if the writer overtakes it, its result is discarded, and the frame that is newest by
  /// then is read. It must validate everything in the payload; see `PixelBufferSerializer`.
  /// - Returns: the result of `body`; `nil` if there is no new frame, or if the writer overtook every attempt (counted in
  ///   ``overtaken``) because `body` takes longer than the slots last.
  @inlinable
  @inline(__always)
  public func next<Result>(_ body: (FrameStamp, Span<UInt8>) -> Result) throws(FileError) -> Result? {
    // Inlined up to here: most polls find nothing, and the call would cost more than the two loads.
    guard hasNewFrame else {
      try frames.ring.checkForLoss()
      return nil
    }
    for _ in 0..<Self.attempts {
      // SYNC: acquire; the partner is the store of `latest` in FrameRingFile.publish.
      guard let candidate = try candidate(in: frames.latest.loadAcquiring()) else { continue }
      // The race on these bytes is by design: if the writer changes them, what was made of them is discarded below.
      let result = frames.ring.file.withBytes { body(candidate.stamp, $0.extracting(candidate.payload)) }
      guard isIntact(slot: candidate.slot, number: candidate.stamp.number) || !checksAfterwards else {
        try countOvertaken(candidate.stamp.number)
        continue
      }
      try frames.ring.checkForLoss()
      unsafe lastRead = candidate.stamp.number
      return result
    }
    return nil
  }

  @usableFromInline static let attempts = 4

  /// Sleeps until there is a frame newer than the one read last, until no frame follows in this file, or until
  /// `deadline`. May return early. A writer that died does not wake the reader, nor does another program that replaces the
  /// file: pass a short deadline, and check ``isCurrent()`` after it.
  /// - Returns: whether there is a newer frame.
  @discardableResult
  public func wait(until deadline: MonotonicTime, clock: any MonotonicClock = SystemClock()) -> Bool {
    // SYNC: acquire; the partner is the store of `latest` in FrameRingFile.publish. The kernel makes a full barrier before it
    // compares `latest` with `seen`, and the writer one between its store and its search for sleepers. So the kernel
    // sees the new frame and does not sleep, or the writer finds this reader and wakes it.
    let seen = frames.latest.loadAcquiring()
    if unsafe RingLayout.unpack(seen).number <= lastRead, seen & RingLayout.lastWord == 0 {
      frames.latest.wait(while: seen, until: clock.systemTime(of: deadline))
    }
    return hasNewFrame
  }

  /// The frame that `word` of `latest` names; `nil` if the writer is overwriting it. The header of its slot may be
  /// anything and may change: each number is read once.
  @usableFromInline
  func candidate(in word: UInt64) throws(FileError) -> Candidate? {
    let (number, slot) = RingLayout.unpack(word)
    guard slot < frames.layout.slotCount else { throw FileError(.damaged, path) }
    // SYNC: acquire; the partner is the release store of the counter. The slot is at least as new as this.
    guard frames.sequences[slot].loadAcquiring() == RingLayout.complete(number) || !checksAfterwards else {
      try countOvertaken(number)
      return nil
    }
    let start = frames.layout.slotOffset(slot)
    let (stamp, size) = frames.ring.file.withBytes { bytes in
      let header = bytes.extracting(start..<(start + RingLayout.Slot.payload))
      let stamp = FrameStamp(
        number: header.loadLittleEndian(at: RingLayout.Slot.frameNumber),
        captureTime: MonotonicTime(nanoseconds: header.loadLittleEndian(at: RingLayout.Slot.captureTime)),
        publishTime: MonotonicTime(nanoseconds: header.loadLittleEndian(at: RingLayout.Slot.publishTime)),
        orientation: header.loadLittleEndian(at: RingLayout.Slot.orientation))
      return (stamp, header.loadLittleEndian(at: RingLayout.Slot.payloadSize, as: UInt64.self))
    }
    guard stamp.number == number, size <= UInt64(frames.layout.payloadCapacity) else {
      // The header contradicts its frame or was cut off, unless it is already that of another frame.
      guard isIntact(slot: slot, number: number), checksAfterwards else {
        overtaken += 1
        return nil
      }
      throw frames.ring.fault
    }
    let payload = start + RingLayout.Slot.payload
    return Candidate(stamp: stamp, slot: slot, payload: payload..<(payload + Int(size)))
  }

  /// Counts a read that the writer overtook. The ring is damaged if the counter of the newest frame denies that frame
  /// although no newer one was published.
  @usableFromInline
  func countOvertaken(_ number: UInt64) throws(FileError) {
    // SYNC: acquire fence; the partner is the release store of the odd counter in FrameRingWriter.begin. A reader that
    // saw the odd counter also sees a later `latest`; an unchanged one means damage. The load acquires as in `next`.
    SharedAtomic.acquireFence()
    if RingLayout.unpack(frames.latest.loadAcquiring()).number == number { throw frames.ring.fault }
    overtaken += 1
  }

  /// Whether the slot still holds frame `number`.
  @usableFromInline
  func isIntact(slot: Int, number: UInt64) -> Bool {
    // SYNC: the acquire fence keeps the reads of the slot before the second load of its counter; the partner is the
    // release fence in FrameRingWriter.begin.
    SharedAtomic.acquireFence()
    return frames.sequences[slot].loadRelaxed() == RingLayout.complete(number)
  }
}

extension FrameRingReader {
  /// A frame that may be read: a checked copy of its slot's header.
  @usableFromInline
  struct Candidate: Sendable {
    @usableFromInline let stamp: FrameStamp
    @usableFromInline let slot: Int
    /// The range of its bytes in the file, within the slot.
    @usableFromInline let payload: Range<Int>
  }
}
