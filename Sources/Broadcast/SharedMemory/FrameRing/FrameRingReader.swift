import Platform

/// A reader of a frame ring: any number of them, in any process of the user.
///
/// ```swift
/// let ring = try FrameRingReader(path: path)
/// while let frame = try ring.next({ stamp, payload in … }) { … }
/// ```
/// The file is mapped read-only: a reader cannot block or corrupt the writer. It works on a frame in place and
/// looks afterwards whether the writer has come round meanwhile; if so, what was read is thrown away and the
/// newest frame is taken instead.
///
/// A reader that registers may do two things more, for which it writes on a page of the ring made for that and
/// nowhere else: hold a frame with ``lease()``, and sleep until the next one with ``wait(until:)``.
/// Not thread-safe: one thread at a time reads.
public final class FrameRingReader {
  /// The path of the ring file.
  public let path: String
  /// The run of the producer this ring belongs to.
  public let session: RingSession
  /// Reads thrown away because the writer overtook them.
  public internal(set) var overtaken: UInt64 = 0
  @usableFromInline
  let file: MappedFile
  let layout: RingLayout
  @usableFromInline
  let latest: SharedAtomic
  @usableFromInline
  let stateWord: SharedAtomic
  private let produced: SharedAtomic
  private let dropped: SharedAtomic
  let sequences: SharedAtomicRow
  let honoured: SharedAtomic
  let registration: ReaderRegistration?
  /// The number of the frame read last; 0 before the first.
  public var lastNumber: UInt64 { lastRead }
  @usableFromInline
  var lastRead: UInt64 = 0
  private let checksAfterwards: Bool

  /// Opens the ring at `path`. Every number in its header is checked before it is used.
  /// - Parameter registers: whether the reader may lease and wait. Up to 32 readers may at a time; the file must
  ///   be writable for it. Any number may read without.
  public convenience init(path: String, registers: Bool = false) throws(RingError) {
    try self.init(path: path, registers: registers, checksAfterwards: true)
  }

  /// - Parameter checksAfterwards: false only in a control, which must see torn frames.
  package init(path: String, registers: Bool = false, checksAfterwards: Bool) throws(RingError) {
    let file: MappedFile
    do { file = try registers ? MappedFile(sharingPath: path) : MappedFile(path: path) } catch {
      if case .empty = error { throw .damaged(path: path) }
      throw .storage(error)
    }
    // The header is copied once, and only the copy is judged: the file may change under us.
    let header = file.withBytes { bytes in
      (0..<min(bytes.count, RingLayout.Header.latest)).map { bytes[$0] }
    }
    // Bytes that were cut off while they were copied are zeros, which say nothing about the file.
    if file.isLost { throw .lost(path: path) }
    guard header.count == RingLayout.Header.latest else { throw .notARing(path: path) }
    let fields = header.span
    guard fields.loadLittleEndian(at: RingLayout.Header.magic) == RingLayout.magic else {
      throw .notARing(path: path)
    }
    let version = fields.loadLittleEndian(at: RingLayout.Header.version, as: UInt32.self)
    guard version == RingLayout.version else { throw .otherVersion(path: path, found: version) }
    let layout = RingLayout(
      slotCount: fields.loadLittleEndian(at: RingLayout.Header.slotCount),
      slotStride: fields.loadLittleEndian(at: RingLayout.Header.slotStride),
      slotsOffset: fields.loadLittleEndian(at: RingLayout.Header.slotsOffset),
      fileSize: fields.loadLittleEndian(at: RingLayout.Header.fileSize), actualSize: file.byteCount)
    guard let layout else { throw .damaged(path: path) }

    self.path = path
    self.file = file
    self.layout = layout
    self.checksAfterwards = checksAfterwards
    session = RingSession(
      id: fields.loadLittleEndian(at: RingLayout.Header.session),
      processID: fields.loadLittleEndian(at: RingLayout.Header.processID),
      startTime: MonotonicTime(
        nanoseconds: fields.loadLittleEndian(at: RingLayout.Header.startTime)))
    latest = SharedAtomic(at: RingLayout.Header.latest, of: file)
    stateWord = SharedAtomic(at: RingLayout.Header.state, of: file)
    produced = SharedAtomic(at: RingLayout.Header.framesProduced, of: file)
    dropped = SharedAtomic(at: RingLayout.Header.framesDropped, of: file)
    sequences = layout.sequences(of: file)
    honoured = SharedAtomic(at: RingLayout.Header.honoured, of: file)
    file.populate()
    guard registers else {
      registration = nil
      return
    }
    do throws(StorageError) {
      registration = try ReaderRegistration(in: file, slotCount: layout.slotCount)
    } catch {
      throw .storage(error)
    }
    if registration == nil { throw .tooManyReaders(path: path) }
  }

  /// What the writer says of the session; `nil` when it says nothing known.
  public var state: RingState? {
    // SYNC: acquire; partner is the release store in WritableRing.set.
    RingState(rawValue: stateWord.loadAcquiring())
  }

  /// The error the session ended with, once the state is finished.
  public var sessionError: RingSessionError? {
    guard state == .finished else { return nil }
    return file.withBytes { bytes in
      let domain = bytes.loadText(
        at: RingLayout.Header.errorDomain, capacity: RingLayout.Header.errorDomainCapacity)
      guard !domain.isEmpty else { return nil }
      return RingSessionError(
        domain: domain, code: Int(bytes.loadLittleEndian(at: RingLayout.Header.errorCode, as: Int64.self)),
        text: bytes.loadText(
          at: RingLayout.Header.errorText, capacity: RingLayout.Header.errorTextCapacity))
    }
  }

  /// The number of frames the writer has published in its session, whether read or not.
  public var framesPublished: UInt64 {
    // A larger file of a session has no newest frame at first; the count of the ones before came along.
    max(RingLayout.unpack(latest.loadAcquiring()).number, produced.loadRelaxed())
  }

  /// The number of frames that came to the writer and could not be published.
  public var framesDropped: UInt64 { dropped.loadRelaxed() }

  /// Leaves out the frames up to `number`: they were read already, in an earlier file of the same session.
  public func skip(through number: UInt64) { lastRead = max(lastRead, number) }

  /// Whether the file at the path is still the one this reader has open.
  public func isCurrent() throws(RingError) -> Bool {
    do { return try file.isAt(path) == true } catch { throw .storage(error) }
  }

  /// Reads the newest frame, if it is newer than the last one read.
  ///
  /// `body` may run more than once: when the writer overtakes it, its result or error is thrown away and the
  /// then newest frame is read. It must take nothing in the payload for granted; see ``PixelBufferSerializer``.
  /// - Returns: what `body` made of the frame; `nil` when there is no new one, or when the writer overtook
  ///   every one of a few attempts (counted in ``overtaken``), because `body` takes longer than the slots last.
  @inlinable
  public func next<Result, Failure: Error>(
    _ body: (FrameStamp, Span<UInt8>) throws(Failure) -> Result
  ) throws(ReadError<Failure>) -> Result? {
    guard hasNewFrame else {
      do { try checkForLoss() } catch { throw .ring(error) }
      return nil
    }
    return try read(body)
  }

  @inlinable
  func read<Result, Failure: Error>(
    _ body: (FrameStamp, Span<UInt8>) throws(Failure) -> Result
  ) throws(ReadError<Failure>) -> Result? {
    for _ in 0..<Self.attempts {
      let candidate: Candidate
      do throws(RingError) {
        guard let found = try look() else { continue }
        candidate = found
      } catch {
        throw .ring(error)
      }
      let outcome = attempt(candidate, body)
      let isWhole: Bool
      do { isWhole = try accept(candidate) } catch { throw .ring(error) }
      if isWhole { return try outcome.get() }
    }
    return nil
  }

  /// Works on a frame that may change meanwhile.
  @inlinable
  func attempt<Result, Failure: Error>(
    _ candidate: Candidate, _ body: (FrameStamp, Span<UInt8>) throws(Failure) -> Result
  ) -> Swift.Result<Result, ReadError<Failure>> {
    file.withBytes { bytes in
      // The race on these bytes is by design: the writer may be changing them, and then the check of the
      // counter afterwards throws away whatever was made of them.
      do throws(Failure) {
        return .success(try body(candidate.stamp, bytes.extracting(candidate.payload)))
      } catch {
        return .failure(.body(error))
      }
    }
  }

  /// The newest frame, if its slot holds it still; `nil` when the writer is just going over it.
  @usableFromInline
  func look() throws(RingError) -> Candidate? {
    // SYNC: acquire; partner is the store of `latest` in SlotAllocator.publish.
    let (number, slot) = RingLayout.unpack(latest.loadAcquiring())
    guard slot < layout.slotCount else { throw .damaged(path: path) }
    // SYNC: acquire; partner is the release store of the counter. The slot is at least as new as this.
    if sequences[slot].loadAcquiring() == RingLayout.complete(number) || !checksAfterwards {
      if let candidate = candidate(number, in: slot) { return candidate }
      // A header that contradicts its frame, unless it is already another frame's.
      guard isWhole(slot: slot, number: number), checksAfterwards else {
        overtaken += 1
        return nil
      }
      throw .damaged(path: path)
    }
    try countOvertaken(number)
    return nil
  }

  /// Whether what was made of the frame counts: whether its slot holds it still.
  @usableFromInline
  func accept(_ candidate: Candidate) throws(RingError) -> Bool {
    if isWhole(slot: candidate.slot, number: candidate.stamp.number) || !checksAfterwards {
      if file.isLost { throw .lost(path: path) }
      lastRead = candidate.stamp.number
      return true
    }
    try countOvertaken(candidate.stamp.number)
    return false
  }

  /// Whether there is a frame newer than the last one read.
  @inlinable
  public var hasNewFrame: Bool {
    // SYNC: acquire, so that a look that follows is at least as new; partner is the store in SlotAllocator.publish.
    latest.loadAcquiring() >> 8 > lastRead
  }

  @usableFromInline static let attempts = 4

  /// Nothing new may mean that the file was cut short.
  @inlinable
  func checkForLoss() throws(RingError) {
    // The state is never 0 in a ring that can be opened by its path; all bytes are where the file was cut short.
    if stateWord.loadRelaxed() == 0 { throw lost }
  }

  @usableFromInline
  var lost: RingError { .lost(path: path) }

  /// Counts a read that the writer overtook; damage, when the counter of the newest frame denies it although no
  /// newer one has come.
  func countOvertaken(_ number: UInt64) throws(RingError) {
    // SYNC: acquire fence; partner is the release store of the odd counter in WritableRing.begin. Who saw the
    // odd counter sees a later `latest` too; so an unchanged one is no overtaking but damage.
    SharedAtomic.acquireFence()
    if RingLayout.unpack(latest.loadAcquiring()).number == number {
      throw file.isLost ? .lost(path: path) : .damaged(path: path)
    }
    overtaken += 1
  }

  /// What the header of a slot says of frame `number`; `nil` when it is not that frame's or cannot be true. The
  /// bytes may be anything, and may change: each is read once.
  func candidate(_ number: UInt64, in slot: Int) -> Candidate? {
    let start = layout.slotOffset(slot)
    return file.withBytes { bytes in
      let header = bytes.extracting(start..<(start + RingLayout.Slot.payload))
      let stamp = FrameStamp(
        number: header.loadLittleEndian(at: RingLayout.Slot.frameNumber),
        captureTime: MonotonicTime(nanoseconds: header.loadLittleEndian(at: RingLayout.Slot.captureTime)),
        publishTime: MonotonicTime(nanoseconds: header.loadLittleEndian(at: RingLayout.Slot.publishTime)),
        orientation: header.loadLittleEndian(at: RingLayout.Slot.orientation))
      let size = header.loadLittleEndian(at: RingLayout.Slot.payloadSize, as: UInt64.self)
      guard stamp.number == number, size <= UInt64(layout.payloadCapacity) else { return nil }
      let payload = start + RingLayout.Slot.payload
      return Candidate(stamp: stamp, slot: slot, payload: payload..<(payload + Int(size)))
    }
  }

  /// Whether the slot still holds frame `number`.
  func isWhole(slot: Int, number: UInt64) -> Bool {
    // SYNC: the acquire fence keeps the reads of the slot before the second look at its counter; its partner
    // is the release fence in WritableRing.begin.
    SharedAtomic.acquireFence()
    return sequences[slot].loadRelaxed() == RingLayout.complete(number)
  }
}

extension FrameRingReader {
  /// A frame that may be read: what its slot's header says, copied and checked.
  @usableFromInline
  struct Candidate {
    @usableFromInline let stamp: FrameStamp
    let slot: Int
    /// Where its bytes lie in the file, within the slot.
    @usableFromInline let payload: Range<Int>
  }
}

extension FrameRingReader {
  /// Why a frame could not be read.
  public enum ReadError<Body: Error>: Error {
    /// The closure that was given the frame threw, on a frame that was whole.
    case body(Body)
    /// The ring is damaged or was cut short.
    case ring(RingError)
  }
}
