import Platform

/// The only writer of an audio ring.
///
/// ```swift
/// let ring = try AudioRingWriter(path: path, format: format, session: session)
/// try ring.publish(bytes.span, format: format, captureTime: time)
/// try ring.finish()
/// ```
/// It never waits for a reader: audio that is not read in time is overwritten. The caller must hold the `ProcessLock` of the
/// container. Not thread-safe: only one thread at a time may publish.
public final class AudioRingWriter: OpenRing {
  private typealias Packet = AudioRingLayout.Packet

  private var audio: AudioRingFile
  private var packetCount: UInt64 = 0
  /// The number of pauses that have ended.
  private var pauses: UInt32 = 0
  /// A hook for tests, called during every write of a packet.
  var whileWriting: (() -> Void)?
  /// The capture time at the last check that the file is at its path.
  private var lastCheck: MonotonicTime?

  /// Creates a ring for at least two seconds of audio, replacing the file at `path`. Its memory is reserved and populated before
  /// this returns.
  /// - Throws: the error of a file system that has no room or rejects the file.
  public init(path: String, format: AudioRingFormat, session: RingSession) throws(FileError) {
    audio = try AudioRingFile(creatingFor: path, AudioRingLayout(format), session: session)
    try audio.ring.moveIntoPlace()
  }

  /// The current file.
  public var ring: RingFile { audio.ring }

  /// Whether readers see the session as paused.
  public var isPaused: Bool {
    get { audio.ring.isPaused }
    set {
      if isPaused, !newValue { pauses &+= 1 }
      audio.ring.isPaused = newValue
    }
  }

  /// Counts packets that arrived but could not be published.
  public func countDrop(_ count: UInt64 = 1) { audio.ring.countDrop(count) }

  /// The number of frames published in this session.
  public private(set) var framesPublished: UInt64 = 0

  /// The capacity of the current file in frames.
  public var capacity: Int { audio.layout.capacity }

  /// Publishes a packet of complete frames. `captureTime` is the capture time of the first frame.
  ///
  /// If the format changes, or if the file was truncated or removed, the session moves to a new file. Must not be called after
  /// ``finish()``.
  /// - Throws: if a new file is needed but cannot be created.
  public func publish(
    _ samples: Span<UInt8>, format: AudioRingFormat, captureTime: MonotonicTime
  ) throws(FileError) {
    precondition(!audio.ring.isFinished, "the session is over")
    precondition(samples.count % format.bytesPerFrame == 0, "a packet has whole frames")
    if format != audio.layout.format || !audio.ring.isIntact {
      try replace(with: format)
    } else if isDue(captureTime), !audio.ring.file.isIntact(at: path) {
      // Readers that have the old file mapped continue with it. The next check tries again.
      do { try replace(with: format) } catch {}
    }
    let most = audio.layout.packetCapacity * format.bytesPerFrame
    var offset = 0
    while offset < samples.count {
      let part = samples.extracting(offset..<min(offset + most, samples.count))
      let later = format.nanoseconds(ofFrames: UInt64(offset / format.bytesPerFrame))
      write(part, at: captureTime + .nanoseconds(Int64(later.rounded())))
      offset += part.count
    }
  }

  /// Marks the session as finished for readers that have the file mapped, and removes the file.
  public func finish() throws(FileError) {
    if !audio.ring.isFinished { try audio.ring.finish() }
  }

  /// Whether it is time to check that the file is at its path (twice a second, as for the frames).
  private func isDue(_ time: MonotonicTime) -> Bool {
    guard let last = lastCheck, time >= last, time - last <= FrameRingWriter.checkInterval
    else {
      defer { lastCheck = time }
      return lastCheck != nil
    }
    return false
  }

  private func replace(with format: AudioRingFormat) throws(FileError) {
    var next = try AudioRingFile(
      creatingFor: path, AudioRingLayout(format), session: session, firstFrame: framesPublished,
      firstPacket: packetCount)
    try audio.ring.move(to: &next.ring)
    audio = next
  }

  /// Writes a packet of at most ``AudioRingLayout/packetCapacity`` complete frames.
  private func write(_ samples: Span<UInt8>, at captureTime: MonotonicTime) {
    let layout = audio.layout
    let count = UInt64(samples.count / layout.format.bytesPerFrame)
    let frames = framesPublished..<(framesPublished + count)
    precondition(
      count > 0 && count <= UInt64(layout.packetCapacity), "a packet is larger than the ring allows")
    let sequence = audio.sequences[Int(packetCount % UInt64(Packet.count))]
    // SYNC: both must be visible before any byte of the packet or of its entry changes. The release fence orders the stores
    // before the writes that follow; the partners are the acquire fences in AudioRingReader, after a copy of samples and after a
    // copy of an entry. The stores themselves release the previous value of `packets`; the partners are the acquire of `reserved`
    // in AudioRingReader.read and of the counter in AudioRingReader.packet.
    audio.reserved.storeReleasing(frames.upperBound)
    sequence.storeReleasing(RingLayout.writing(packetCount))
    SharedAtomic.releaseFence()
    var offset = 0
    for place in layout.places(of: frames) {
      let source = samples.extracting(offset..<(offset + place.count))
      audio.ring.file.withMutableBytes(place) { target in
        // UNSAFE: as many bytes as the source, which is another mapping or the caller's memory.
        unsafe target.withUnsafeMutableBytes { target in
          unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
      }
      offset += place.count
    }
    let entry = AudioRingLayout.packetOffset(packetCount)
    audio.ring.file.withMutableBytes(entry..<(entry + Packet.byteCount)) { entry in
      entry.storeLittleEndian(frames.lowerBound, at: Packet.firstFrame)
      entry.storeLittleEndian(UInt32(count), at: Packet.frameCount)
      entry.storeLittleEndian(pauses, at: Packet.pauses)
      entry.storeLittleEndian(captureTime.nanoseconds, at: Packet.captureTime)
    }
    whileWriting?()
    // SYNC: release; the partner is the acquire of the counter in AudioRingReader.packet. A reader that sees the even
    // counter sees the entry.
    sequence.storeReleasing(RingLayout.complete(packetCount))
    framesPublished = frames.upperBound
    packetCount += 1
    // SYNC: release; the partner is the acquire load of `packets` in AudioRingReader.read. A reader that sees the packet counted
    // also sees its even counter, its entry and its samples. Otherwise the reader would report a damaged ring.
    audio.packets.storeReleasing(packetCount)
  }
}
