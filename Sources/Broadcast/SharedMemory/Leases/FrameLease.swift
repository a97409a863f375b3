import Synchronization

/// A frame that its reader keeps in place, without a copy: the writer does not use its slot.
///
/// ```swift
/// if let lease = try ring.lease() {
///   encoder.encode(lease) { lease.end() ? send($0) : drop($0) }
/// }
/// ```
/// The lease ends with ``end()``, or with the last reference to it. A writer that runs short of slots reclaims leases
/// that last too long; ``isIntact`` is then `false`, and what was read must be discarded.
public final class FrameLease: Sendable {
  /// Number, times and orientation of the frame.
  public var stamp: FrameStamp { frame.stamp }
  private let frame: FrameRingReader.Candidate
  private let ring: MappedFile
  private let sequence: SharedAtomic
  private let endMark: EndMark
  private let registration: ReaderRegistration
  private let hasEnded = Atomic(false)

  init(
    _ frame: FrameRingReader.Candidate, ring: MappedFile, sequence: SharedAtomic, endMark: EndMark,
    registration: ReaderRegistration
  ) {
    self.frame = frame
    self.ring = ring
    self.sequence = sequence
    self.endMark = endMark
    self.registration = registration
  }

  deinit { end() }

  /// Lends the bytes of the frame in the ring. Not after ``end()``.
  public func withPayload<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!hasEnded.load(ordering: .relaxed), "the lease has ended")
    return try ring.withBytes { bytes throws(Failure) in try body(bytes.extracting(frame.payload)) }
  }

  /// Whether the frame is unchanged. Check it after the work on the frame, not before.
  public var isIntact: Bool {
    // SYNC: the acquire fence keeps the reads of the slot before the load of its counter; the partner is the release
    // fence in FrameRingWriter.begin.
    SharedAtomic.acquireFence()
    return sequence.loadRelaxed() == RingLayout.complete(stamp.number) && endMark.isPresent
  }

  /// Releases the slot. A second call has no effect.
  /// - Returns: whether the frame was intact until now.
  @discardableResult
  public func end() -> Bool {
    let isIntact = isIntact
    if !hasEnded.exchange(true, ordering: .relaxed) { registration.release(frame.slot, number: stamp.number) }
    return isIntact
  }
}
