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
  private var mapping: Mapping
  private var lastNumber: UInt64 = 0
  private var drops: UInt64 = 0
  private var isFinished = false

  /// Creates a ring of `slotCount` slots of `payloadCapacity` bytes each, in place of a ring of an earlier
  /// session. Its memory is reserved and touched before this returns.
  /// - Parameters:
  ///   - slotCount: 2…8. A reader may work on a frame for (slotCount − 1) frame periods before it is overtaken.
  ///   - payloadCapacity: the bytes of the largest frame expected, 1…256 MiB. Larger frames later move the
  ///     session to a larger file.
  public init(path: String, slotCount: Int, payloadCapacity: Int, now: UInt64) throws(RingError) {
    self.path = path
    self.slotCount = slotCount
    session = RingSession(
      id: UInt64.random(in: 1...UInt64.max), processID: System.processID, startTime: now)
    mapping = try Mapping(
      path: path, slotCount: slotCount, payloadCapacity: payloadCapacity, session: session)
    try mapping.show(at: path)
  }

  /// The number of frames published in this session.
  public var framesPublished: UInt64 { lastNumber }

  /// Whether the session is live or paused, as readers see it.
  public var isPaused: Bool = false {
    didSet { if !isFinished { mapping.state.storeReleasing(state.rawValue) } }
  }

  private var state: RingState { isPaused ? .paused : .live }

  /// Counts a frame that came but could not be published.
  public func countDrop() {
    drops += 1
    mapping.framesDropped.storeRelaxed(drops)
  }

  /// Publishes one frame: lends `byteCount` bytes of the next slot to `fill`, then makes them the newest frame.
  ///
  /// What `fill` does not write keeps the bytes of an older frame. When it throws, nothing is published. Not
  /// after ``finish(error:)``. The frame during which somebody cuts the file short is lost; the next one goes
  /// into a fresh file.
  /// - Returns: the stamp of the published frame.
  @discardableResult
  public func publish<Failure: Error>(
    byteCount: Int, captureTime: UInt64, orientation: UInt32, now: () -> UInt64,
    _ fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) throws(PublishError<Failure>) -> FrameStamp {
    precondition(!isFinished, "the session is over")
    do { try makeRoom(for: byteCount) } catch { throw .ring(error) }
    let number = lastNumber + 1
    let slot = Int(number % UInt64(slotCount))
    let sequence = mapping.sequences[slot]

    // SYNC: the odd counter must be visible before any byte of the slot changes. The release fence orders the
    // store before the writes below; its partner is the acquire fence in FrameRingReader.isWhole. The store
    // itself releases `latest` as it was before; its partner is the fence in FrameRingReader.fault.
    sequence.storeReleasing(RingLayout.writing(number))
    SharedAtomic.releaseFence()

    let start = mapping.layout.slotOffset(slot)
    let payload = start + RingLayout.Slot.payload
    do {
      try mapping.file.withMutableBytes(payload..<(payload + byteCount), fill)
    } catch {
      throw .fill(error)
    }
    let stamp = FrameStamp(
      number: number, captureTime: captureTime, publishTime: now(), orientation: orientation)
    mapping.file.withMutableBytes(start..<payload) { header in
      header.storeLittleEndian(stamp.number, at: RingLayout.Slot.frameNumber)
      header.storeLittleEndian(stamp.captureTime, at: RingLayout.Slot.captureTime)
      header.storeLittleEndian(stamp.publishTime, at: RingLayout.Slot.publishTime)
      header.storeLittleEndian(stamp.orientation, at: RingLayout.Slot.orientation)
      header.storeLittleEndian(UInt64(byteCount), at: RingLayout.Slot.payloadSize)
    }

    // SYNC: release; a reader that acquires this counter or `latest` sees the whole slot.
    sequence.storeReleasing(RingLayout.complete(number))
    // SYNC: release; partner is the acquire load in FrameRingReader.next.
    mapping.latest.storeReleasing(RingLayout.pack(number, slot: slot))
    lastNumber = number
    mapping.framesProduced.storeRelaxed(number)
    return stamp
  }

  /// Marks the session as over, for readers that hold the file, and removes the file.
  ///
  /// - Parameter error: domain, code and text of the error it ended with, if it was one.
  public func finish(error: RingSessionError? = nil) throws(StorageError) {
    guard !isFinished else { return }
    isFinished = true
    mapping.finish(with: error)
    do throws(SystemError) {
      // A file of that name that is not ours any more is left alone.
      if try System.statusWithoutFollowing(path).identity == mapping.file.identity { try System.remove(path) }
    } catch {
      if error.code != System.Code.missing { throw .system(error) }
    }
  }

  /// Moves to a file with larger slots when a frame needs them, or to a fresh one when this one was cut short.
  private func makeRoom(for byteCount: Int) throws(RingError) {
    guard byteCount <= RingLayout.maximumPayload else { throw .frameTooLarge(byteCount: byteCount) }
    guard byteCount > mapping.layout.payloadCapacity || mapping.file.isLost else { return }
    let present = min(mapping.layout.payloadCapacity, RingLayout.maximumPayload)
    let next = try Mapping(
      path: path, slotCount: slotCount, payloadCapacity: max(byteCount, present), session: session)
    next.state.storeReleasing(state.rawValue)
    next.framesProduced.storeRelaxed(lastNumber)
    next.framesDropped.storeRelaxed(drops)
    try next.show(at: path)
    // SYNC: release; partner is the acquire in FrameRingReader.state. Who sees the mark finds the new file under
    // the name. The readers here look at the name itself, so they find it without the mark too.
    mapping.state.storeReleasing(RingState.replaced.rawValue)
    mapping = next
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

  /// A ring file, mapped for writing.
  private struct Mapping {
    let file: MappedFile
    let layout: RingLayout
    let latest: SharedAtomic
    let state: SharedAtomic
    let framesProduced: SharedAtomic
    let framesDropped: SharedAtomic
    let sequences: [SharedAtomic]

    /// Creates the file under a working name; it is complete before it is shown.
    init(path: String, slotCount: Int, payloadCapacity: Int, session: RingSession) throws(RingError) {
      guard payloadCapacity <= RingLayout.maximumPayload else {
        throw .frameTooLarge(byteCount: payloadCapacity)
      }
      let layout = RingLayout(slotCount: slotCount, payloadCapacity: payloadCapacity)
      do { file = try MappedFile(creatingAt: path + ".new", byteCount: layout.byteCount) } catch {
        throw .storage(error)
      }
      file.populate()
      self.layout = layout
      let file = file
      latest = SharedAtomic(at: RingLayout.Header.latest, of: file)
      state = SharedAtomic(at: RingLayout.Header.state, of: file)
      framesProduced = SharedAtomic(at: RingLayout.Header.framesProduced, of: file)
      framesDropped = SharedAtomic(at: RingLayout.Header.framesDropped, of: file)
      sequences = (0..<slotCount).map { SharedAtomic(at: layout.sequenceOffset($0), of: file) }
      file.withMutableBytes(0..<RingLayout.Header.latest) { header in
        header.storeLittleEndian(RingLayout.magic, at: RingLayout.Header.magic)
        header.storeLittleEndian(RingLayout.version, at: RingLayout.Header.version)
        header.storeLittleEndian(UInt32(slotCount), at: RingLayout.Header.slotCount)
        header.storeLittleEndian(UInt64(layout.slotStride), at: RingLayout.Header.slotStride)
        header.storeLittleEndian(UInt64(RingLayout.Header.byteCount), at: RingLayout.Header.slotsOffset)
        header.storeLittleEndian(UInt64(layout.byteCount), at: RingLayout.Header.fileSize)
        header.storeLittleEndian(session.id, at: RingLayout.Header.session)
        header.storeLittleEndian(session.startTime, at: RingLayout.Header.startTime)
        header.storeLittleEndian(session.processID, at: RingLayout.Header.processID)
      }
      state.storeReleasing(RingState.live.rawValue)
    }

    /// Puts the file in its place, in one step: readers see the old ring or the whole new one.
    func show(at path: String) throws(RingError) {
      do { try System.rename(file.path, to: path) } catch {
        do { try System.remove(file.path) } catch let second { throw .storage(.system(second)) }
        throw .storage(.system(error))
      }
    }

    func finish(with error: RingSessionError?) {
      if let error {
        file.withMutableBytes(0..<RingLayout.Header.byteCount) { header in
          header.storeLittleEndian(Int64(error.code), at: RingLayout.Header.errorCode)
          header.storeText(
            error.domain, at: RingLayout.Header.errorDomain, capacity: RingLayout.Header.errorDomainCapacity)
          header.storeText(
            error.text, at: RingLayout.Header.errorText, capacity: RingLayout.Header.errorTextCapacity)
        }
      }
      // SYNC: release; who acquires the state sees the error.
      state.storeReleasing(RingState.finished.rawValue)
    }
  }
}
