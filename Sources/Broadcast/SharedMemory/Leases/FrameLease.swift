import Synchronization

/// A frame that its reader holds in place, beyond a callback and without a copy: the writer leaves its slot alone.
///
/// ```swift
/// if let lease = try ring.lease() {
///   encoder.encode(lease) { lease.end() ? send($0) : drop($0) }
/// }
/// ```
/// It ends with ``end()``, or when the last reference to it goes. A writer that runs short of slots takes leases
/// back that have lasted too long; what was read is then void, and ``isIntact`` says so.
public final class FrameLease: Sendable {
  /// Number, times and orientation of the frame.
  public let stamp: FrameStamp
  private let ring: MappedFile
  private let payload: Range<Int>
  private let sequence: SharedAtomic
  private let registration: ReaderRegistration
  private let slot: Int
  private let hasEnded = Atomic(false)

  init(
    _ frame: FrameRingReader.Candidate, ring: MappedFile, sequence: SharedAtomic,
    registration: ReaderRegistration
  ) {
    stamp = frame.stamp
    payload = frame.payload
    slot = frame.slot
    self.ring = ring
    self.sequence = sequence
    self.registration = registration
  }

  deinit { end() }

  /// Lends the frame's bytes, in the ring. Not after ``end()``.
  public func withPayload<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!hasEnded.load(ordering: .relaxed), "the lease has ended")
    return try ring.withBytes { bytes throws(Failure) in try body(bytes.extracting(payload)) }
  }

  /// Whether the frame still is what it was. Ask after the work on it, not before.
  public var isIntact: Bool {
    // SYNC: the acquire fence keeps the reads of the slot before the look at its counter; its partner is the
    // release fence in WritableRing.begin.
    SharedAtomic.acquireFence()
    return sequence.loadRelaxed() == RingLayout.complete(stamp.number) && !ring.isLost
  }

  /// Gives the slot back. Again, it does nothing.
  /// - Returns: whether the frame was intact up to now.
  @discardableResult
  public func end() -> Bool {
    let isIntact = isIntact
    if !hasEnded.exchange(true, ordering: .relaxed) { registration.release(slot, number: stamp.number) }
    return isIntact
  }
}
