import Platform

/// Reads a frame ring. Any number of readers may exist, in any process of the user.
///
/// ```swift
/// let ring = try FrameRingReader(path: path)
/// while let frame = try ring.next({ stamp, payload in … }) { … }
/// ```
/// The file is mapped read-only, so a reader cannot block or corrupt the writer. It uses a frame in place and then checks whether
/// the writer has overtaken it. If so, it discards the result and reads the newest frame.
///
/// It can also sleep until the next frame (see ``wait(until:clock:)``). Not thread-safe: only one thread at a time may read.
public final class FrameRingReader: OpenRing {
  private typealias Header = RingLayout.Header

  /// The number of reads discarded because the writer overtook them.
  public private(set) var overtaken: UInt64 = 0
  @usableFromInline
  let frames: FrameRingFile
  /// The number of the frame read last; 0 before the first.
  public var lastNumber: UInt64 { unsafe lastRead }
  // Why unchecked: no access takes longer than a load or a store. The runtime check would cost as much as the poll.
  @usableFromInline
  @exclusivity(unchecked) var lastRead: UInt64 = 0
  @usableFromInline
  let checksAfterwards: Bool

  /// Opens the ring at `path`. Every number in its header is validated before it is used.
  /// - Throws: the error if the file cannot be opened; `notARing`, `otherVersion` or `damaged` for invalid content; `cutShort` if
  ///   the file is truncated at that moment.
  public convenience init(path: String) throws(FileError) {
    try self.init(path: path, checksAfterwards: true)
  }

  /// - Parameter checksAfterwards: `false` only in a control test, which has to see torn frames.
  package init(path: String, checksAfterwards: Bool) throws(FileError) {
    frames = try FrameRingFile(at: path)
    self.checksAfterwards = checksAfterwards
  }

  /// The mapped file.
  public var ring: RingFile { frames.ring }

  /// The error that ended the session; `nil` before its end, and if it ended without an error.
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

  /// The number of frames that the writer has published in its session.
  public var framesPublished: UInt64 {
    // A larger file of a session has no newest frame at first, but has the count of earlier files.
    // SYNC: acquire and relaxed; the partners are the two stores in FrameRingFile.publish. The count does not guard other reads.
    return max(RingLayout.unpack(frames.latest.loadAcquiring()).number, frames.produced.loadRelaxed())
  }

  /// The number of frames that reached the writer but could not be published.
  public var framesDropped: UInt64 { frames.ring.dropCount }

  /// Skips the frames up to `number`, for example because they were read from an earlier file of the session.
  public func skip(through number: UInt64) { unsafe lastRead = max(lastRead, number) }

  /// Whether there is a frame newer than the one read last.
  @inlinable
  public var hasNewFrame: Bool {
    // SYNC: acquire, so that a later read is at least as new; the partner is the store in FrameRingFile.publish.
    unsafe frames.latest.loadAcquiring() >> 8 > lastRead
  }

  /// Reads the newest frame if it is newer than the frame read last.
  ///
  /// `body` may run more than once: if the writer overtakes it, its result is discarded, and the frame that is newest by then is
  /// read. `body` must validate everything in the payload (see `PixelBufferSerializer`).
  /// - Returns: the result of `body`; `nil` if there is no new frame, or if the writer overtook every attempt (counted in
  ///   ``overtaken``) because `body` takes longer than a slot is kept.
  @inlinable
  @inline(__always)
  public func next<Result>(_ body: (FrameStamp, Span<UInt8>) -> Result) throws(FileError) -> Result? {
    // Inlined up to this point: most polls find no frame, and the call would cost more than the two loads.
    guard hasNewFrame else {
      try frames.ring.checkForLoss()
      return nil
    }
    for _ in 0..<Self.attempts {
      // SYNC: acquire; the partner is the store of `latest` in FrameRingFile.publish.
      guard let candidate = try candidate(in: frames.latest.loadAcquiring()) else { continue }
      // The race on these bytes is by design: if the writer changes them, the result is discarded below.
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

  /// Sleeps until a frame is newer than the frame read last, until no frame follows in this file, or until `deadline`. May return
  /// early. Neither a writer that died nor another program that replaces the file wakes the reader. So pass a short deadline, and
  /// check ``isCurrent()`` afterwards.
  /// - Returns: whether there is a newer frame.
  @discardableResult
  public func wait(until deadline: MonotonicTime, clock: any MonotonicClock = SystemClock()) -> Bool {
    // SYNC: acquire; the partner is the store of `latest` in FrameRingFile.publish. The kernel executes a full barrier before it
    // compares `latest` with `seen`, and the writer between its store and its search for sleepers. So either the kernel sees the
    // new frame and does not sleep, or the writer finds this reader and wakes it.
    let seen = frames.latest.loadAcquiring()
    if unsafe RingLayout.unpack(seen).number <= lastRead, seen & RingLayout.lastWord == 0 {
      frames.latest.wait(while: seen, until: clock.systemTime(of: deadline))
    }
    return hasNewFrame
  }

  /// Returns the frame that `word`, a value of `latest`, names; `nil` if the writer is overwriting it. The header of its slot is
  /// untrusted and may change, so each number is read once.
  @usableFromInline
  func candidate(in word: UInt64) throws(FileError) -> Candidate? {
    let (number, slot) = RingLayout.unpack(word)
    guard slot < frames.layout.slotCount else { throw FileError(.damaged, path) }
    // SYNC: acquire; the partner is the release store of the counter. The slot is at least as new as the counter.
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
      // Either the header contradicts its frame or was truncated, or it already belongs to another frame.
      guard isIntact(slot: slot, number: number), checksAfterwards else {
        overtaken += 1
        return nil
      }
      throw frames.ring.fault
    }
    let payload = start + RingLayout.Slot.payload
    return Candidate(stamp: stamp, slot: slot, payload: payload..<(payload + Int(size)))
  }

  /// Counts a read that the writer overtook. If the counter contradicts the newest frame although no newer frame was published,
  /// the ring is damaged.
  @usableFromInline
  func countOvertaken(_ number: UInt64) throws(FileError) {
    // SYNC: acquire fence; the partner is the release store of the odd counter in FrameRingWriter.begin. A reader that saw the
    // odd counter also sees a later `latest`; an unchanged `latest` means damage. The load acquires as in `next`.
    SharedAtomic.acquireFence()
    if RingLayout.unpack(frames.latest.loadAcquiring()).number == number { throw frames.ring.fault }
    overtaken += 1
  }

  /// Whether the slot still holds frame `number`.
  @usableFromInline
  func isIntact(slot: Int, number: UInt64) -> Bool {
    // SYNC: the acquire fence keeps the reads of the slot before the second load of its counter; the partner is the release fence
    // in FrameRingWriter.begin.
    SharedAtomic.acquireFence()
    return frames.sequences[slot].loadRelaxed() == RingLayout.complete(number)
  }
}

extension FrameRingReader {
  /// A frame that may be read, with a validated copy of its slot's header.
  @usableFromInline
  struct Candidate: Sendable {
    @usableFromInline let stamp: FrameStamp
    @usableFromInline let slot: Int
    /// The range of the frame's bytes in the file, within the slot.
    @usableFromInline let payload: Range<Int>
  }
}
