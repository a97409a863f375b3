/// A reader of a frame ring: any number of them, in any process of the user.
///
/// ```swift
/// let ring = try FrameRingReader(path: path)
/// while let frame = try ring.next({ stamp, payload in … }) { … }
/// ```
/// The file is mapped read-only: a reader cannot block, slow or corrupt the writer. It works on a frame in
/// place and looks afterwards whether the writer has come round meanwhile; if so, what was read is thrown
/// away and the newest frame is taken instead.
/// Not thread-safe: one thread at a time reads.
public final class FrameRingReader {
  /// The path of the ring file.
  public let path: String
  /// The run of the producer this ring belongs to.
  public let session: RingSession
  /// Reads thrown away because the writer overtook them.
  public private(set) var overtaken: UInt64 = 0
  private let file: MappedFile
  private let layout: RingLayout
  private let latest: SharedAtomic
  private let stateWord: SharedAtomic
  private let produced: SharedAtomic
  private let dropped: SharedAtomic
  private let sequences: [SharedAtomic]
  /// The number of the frame read last; 0 before the first.
  public private(set) var lastNumber: UInt64 = 0
  private let checksAfterwards: Bool

  /// Opens the ring at `path`. Every number in its header is checked before it is used.
  public convenience init(path: String) throws(RingError) {
    try self.init(path: path, checksAfterwards: true)
  }

  /// - Parameter checksAfterwards: false only in the controls of tests, which must see torn frames.
  package init(path: String, checksAfterwards: Bool) throws(RingError) {
    let file: MappedFile
    do { file = try MappedFile(path: path) } catch {
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
      startTime: fields.loadLittleEndian(at: RingLayout.Header.startTime))
    latest = SharedAtomic(at: RingLayout.Header.latest, of: file)
    stateWord = SharedAtomic(at: RingLayout.Header.state, of: file)
    produced = SharedAtomic(at: RingLayout.Header.framesProduced, of: file)
    dropped = SharedAtomic(at: RingLayout.Header.framesDropped, of: file)
    sequences = (0..<layout.slotCount).map { SharedAtomic(at: layout.sequenceOffset($0), of: file) }
    file.populate()
  }

  /// What the writer says of the session; `nil` when it says nothing known.
  public var state: RingState? {
    // SYNC: acquire; partner is the release store in FrameRingWriter.
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
  public func skip(through number: UInt64) { lastNumber = max(lastNumber, number) }

  /// Whether the file at the path is still the one this reader has open.
  public func isCurrent() throws(RingError) -> Bool {
    do throws(SystemError) {
      return try System.statusWithoutFollowing(path).identity == file.identity
    } catch {
      if error.code == System.Code.missing { return false }
      throw .storage(.system(error))
    }
  }

  /// Reads the newest frame, if it is newer than the last one read.
  ///
  /// `body` may run more than once: when the writer overtakes it, its result or error is thrown away and the
  /// then newest frame is read. It must take nothing in the payload for granted; see ``PixelBufferSerializer``.
  /// - Returns: what `body` made of the frame; `nil` when there is no new one, or when the writer overtook
  ///   every one of a few attempts (counted in ``overtaken``), because `body` takes longer than the slots last.
  public func next<Result, Failure: Error>(
    _ body: (FrameStamp, Span<UInt8>) throws(Failure) -> Result
  ) throws(ReadError<Failure>) -> Result? {
    for _ in 0..<Self.attempts {
      // SYNC: acquire; partner is the release store of `latest` in FrameRingWriter.publish.
      let (number, slot) = RingLayout.unpack(latest.loadAcquiring())
      guard number > lastNumber else {
        // A file cut within its first page takes no page away but makes zeros of the words, also of the
        // state, which is never 0 in a ring that can be opened by its path.
        if file.isLost || stateWord.loadRelaxed() == 0 { throw .ring(.lost(path: path)) }
        return nil
      }
      guard slot < layout.slotCount else { throw .ring(.damaged(path: path)) }
      let complete = RingLayout.complete(number)
      // SYNC: acquire; partner is the release store of the counter. The slot is at least as new as this.
      if sequences[slot].loadAcquiring() == complete || !checksAfterwards {
        let outcome: Swift.Result<Result, ReadError<Failure>> = attempt(slot: slot, number: number, body)
        if isWhole(slot: slot, complete: complete) || !checksAfterwards {
          if file.isLost { throw .ring(.lost(path: path)) }
          lastNumber = number
          return try outcome.get()
        }
      }
      if let fault = fault(at: number) { throw .ring(fault) }
      overtaken += 1
    }
    return nil
  }

  private static let attempts = 4

  /// What is wrong when the counter of the newest frame denies it, although no newer one has come.
  private func fault(at number: UInt64) -> RingError? {
    // SYNC: acquire fence; partner is the release store of the odd counter in FrameRingWriter.publish. Who
    // saw the odd counter sees a later `latest` too; so an unchanged one is no overtaking but damage.
    SharedAtomic.acquireFence()
    guard RingLayout.unpack(latest.loadAcquiring()).number == number else { return nil }
    return file.isLost ? .lost(path: path) : .damaged(path: path)
  }

  private func attempt<Result, Failure: Error>(
    slot: Int, number: UInt64, _ body: (FrameStamp, Span<UInt8>) throws(Failure) -> Result
  ) -> Swift.Result<Result, ReadError<Failure>> {
    file.withBytes { bytes in
      // The race on these bytes is by design: the writer may be changing them, and then the check of the
      // counter afterwards throws away whatever was made of them.
      let start = layout.slotOffset(slot)
      let header = bytes.extracting(start..<(start + RingLayout.Slot.payload))
      let stamp = FrameStamp(
        number: header.loadLittleEndian(at: RingLayout.Slot.frameNumber),
        captureTime: header.loadLittleEndian(at: RingLayout.Slot.captureTime),
        publishTime: header.loadLittleEndian(at: RingLayout.Slot.publishTime),
        orientation: header.loadLittleEndian(at: RingLayout.Slot.orientation))
      let size = header.loadLittleEndian(at: RingLayout.Slot.payloadSize, as: UInt64.self)
      guard stamp.number == number, size <= UInt64(layout.payloadCapacity) else {
        return .failure(.ring(.damaged(path: path)))
      }
      let payload = start + RingLayout.Slot.payload
      do throws(Failure) {
        return .success(try body(stamp, bytes.extracting(payload..<(payload + Int(size)))))
      } catch {
        return .failure(.body(error))
      }
    }
  }

  /// Whether the slot still holds what it held before it was read.
  private func isWhole(slot: Int, complete: UInt64) -> Bool {
    // SYNC: the acquire fence keeps the reads of the slot before the second look at its counter; its partner
    // is the release fence in FrameRingWriter.publish.
    SharedAtomic.acquireFence()
    return sequences[slot].loadRelaxed() == complete
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
