import Platform

/// The one writer of a frame ring.
///
/// ```swift
/// let ring = try FrameRingWriter(path: path, slotCount: 3, payloadCapacity: size)
/// try ring.publish(byteCount: size, captureTime: time, orientation: 1) { slot in
///   slot.copy(pixels)
/// }
/// try ring.finish()
/// ```
/// The caller must hold the ``ProducerLock`` of the container; two writers would corrupt each other's file.
/// Not thread-safe: one thread at a time publishes.
public final class FrameRingWriter {
  /// The path of the ring file.
  public let path: String
  /// The run of the producer this ring belongs to.
  public let session: RingSession
  private let slotCount: Int
  private let leaseLimit: Duration
  // Why unchecked: no two accesses overlap, since a fill that publishes is refused in `begin`; the check at run time
  // would cost as much as the publish.
  @exclusivity(unchecked) private var ring: WritableRing
  private var lastNumber: UInt64 = 0
  private var isFilling = false
  /// When the file was last looked at in its place, by the publish times.
  private var lastLook: MonotonicTime
  private var isMisplaced = false
  private var drops: UInt64 = 0
  private var isFinished = false

  /// Creates a ring of `slotCount` slots of `payloadCapacity` bytes each, in place of a ring of an earlier
  /// session. Its memory is reserved and touched before this returns.
  /// - Parameters:
  ///   - slotCount: 2…8. A reader may work on a frame for (slotCount − 1) frame periods before it is overtaken.
  ///   - payloadCapacity: the bytes of the largest frame expected, 1…256 MiB. Larger frames later move the
  ///     session to a larger file.
  ///   - leaseLimit: how long a reader may lease a frame that is no longer the newest; see
  ///     ``FrameRingReader/lease()``. A slot that is needed and leased for longer is reclaimed.
  ///   - startTime: when the session begins.
  public init(
    path: String, slotCount: Int, payloadCapacity: Int, leaseLimit: Duration = defaultLeaseLimit,
    startTime: MonotonicTime = SystemClock().now
  ) throws(RingError) {
    self.path = path
    self.slotCount = slotCount
    self.leaseLimit = leaseLimit
    lastLook = startTime
    session = RingSession(
      id: UInt64.random(in: 1...UInt64.max), processID: System.processID, startTime: startTime)
    unsafe ring = try WritableRing(
      path: path, slotCount: slotCount, payloadCapacity: payloadCapacity, session: session,
      leaseLimit: leaseLimit)
    try unsafe ring.show(at: path)
  }

  /// The nanoseconds between two checks that the file is still at its path: the interval of the status poll.
  static let checkInterval: UInt64 = 500_000_000

  /// One second.
  public static let defaultLeaseLimit = Duration.seconds(1)

  /// The number of frames published in this session.
  public var framesPublished: UInt64 { lastNumber }

  /// Whether the session is live or paused, as readers see it.
  public var isPaused: Bool = false {
    didSet { if !isFinished { unsafe ring.set(state) } }
  }

  private var state: RingState { isPaused ? .paused : .live }

  /// The number of leases taken back, in the present file, because their readers died or held them too long.
  public var leasesTakenBack: UInt64 { unsafe ring.leasesTakenBack }

  /// Counts a frame that came but could not be published.
  public func countDrop() {
    drops += 1
    unsafe ring.set(dropped: drops)
  }

  /// Publishes one frame: lends `byteCount` bytes of the next slot to `fill`, then makes them the newest frame.
  ///
  /// What `fill` does not write keeps the bytes of an older frame. When it throws, nothing is published. Not
  /// after ``finish(error:)``. The frame during which somebody cuts the file short is lost; the next one goes
  /// into a fresh file.
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
      // UNSAFE: bytes of the slot taken, in a mapping that lives until the commit.
      var bytes = unsafe slot.mutableSpan
      try fill(&bytes)
    } catch {
      abandon()
      throw .fill(error)
    }
    return commit(
      byteCount: byteCount, captureTime: captureTime, publishTime: clock.now, orientation: orientation)
  }

  /// Takes a slot for the next frame.
  /// - Returns: the first `byteCount` bytes of its payload, which stay until ``commit`` or ``abandon()``.
  @usableFromInline
  func begin(byteCount: Int) throws(RingError) -> UnsafeMutableBufferPointer<UInt8> {
    precondition(!isFinished, "the session is over")
    precondition(!isFilling, "a frame is published while another one is being filled")
    precondition(byteCount >= 0, "a frame has no negative size")
    if unsafe !ring.takes(byteCount) {
      try makeRoom(for: byteCount)
    } else if isMisplaced {
      isMisplaced = false
      // Readers that have the file go on; why nobody else can have it, they say. It is tried again by and by.
      do { try makeRoom(for: byteCount) } catch {}
    }
    isFilling = true
    return unsafe ring.begin(lastNumber + 1, byteCount: byteCount)
  }

  /// Leaves the slot without a frame.
  @usableFromInline
  func abandon() {
    isFilling = false
    unsafe ring.abandon()
  }

  /// Makes what was filled the newest frame.
  @usableFromInline
  func commit(
    byteCount: Int, captureTime: MonotonicTime, publishTime: MonotonicTime, orientation: UInt32
  ) -> FrameStamp {
    isFilling = false
    lastNumber += 1
    let stamp = FrameStamp(
      number: lastNumber, captureTime: captureTime, publishTime: publishTime, orientation: orientation)
    unsafe ring.commit(stamp, byteCount: byteCount)
    if publishTime.nanoseconds(since: lastLook) > Self.checkInterval {
      lastLook = publishTime
      isMisplaced = unsafe !ring.isWhole(at: path)
    }
    return stamp
  }

  /// Marks the session as over, for readers that hold the file, and removes the file.
  ///
  /// - Parameter error: domain, code and text of the error it ended with, if it was one.
  public func finish(error: RingSessionError? = nil) throws(StorageError) {
    guard !isFinished else { return }
    isFinished = true
    unsafe ring.finish(with: error)
    do throws(SystemError) {
      // A file of that name that is not ours any more is left alone.
      if try System.statusWithoutFollowing(path).identity == (unsafe ring.identity) {
        try System.remove(path)
      }
    } catch {
      if error.code != System.Code.missing { throw .system(error) }
    }
  }

  /// Moves to a file with larger slots when a frame needs them, or to a fresh one when this one was cut short.
  private func makeRoom(for byteCount: Int) throws(RingError) {
    guard byteCount <= RingLayout.maximumPayload else { throw .frameTooLarge(byteCount: byteCount) }
    let present = unsafe min(ring.payloadCapacity, RingLayout.maximumPayload)
    var next = try WritableRing(
      path: path, slotCount: slotCount, payloadCapacity: max(byteCount, present), session: session,
      leaseLimit: leaseLimit)
    next.set(state)
    next.set(produced: lastNumber)
    next.set(dropped: drops)
    try next.show(at: path)
    // Who sees the mark finds the new file under the name.
    unsafe ring.set(.replaced)
    unsafe ring = next
  }
}

extension FrameRingWriter {
  /// Why a frame was not published.
  public enum PublishError<Fill: Error>: Error {
    /// The closure that fills the slot threw.
    case fill(Fill)
    /// The ring has no room for the frame and could not be made larger.
    case ring(RingError)
  }
}
