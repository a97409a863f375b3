import Platform

/// The one writer of an audio ring.
///
/// ```swift
/// let ring = try AudioRingWriter(path: path, format: format, session: session)
/// try ring.publish(bytes.span, format: format, captureTime: time)
/// try ring.finish()
/// ```
/// It never waits for a reader: what nobody read in time is overwritten. The caller must hold the ``ProducerLock`` of
/// the container. Not thread-safe: one thread at a time publishes.
public final class AudioRingWriter {
  /// The path of the ring file.
  public let path: String
  /// The run of the producer this ring belongs to.
  public let session: RingSession
  private var ring: WritableAudioRing
  private var drops: UInt64 = 0
  private var isFinished = false
  /// The pauses that are over.
  private var pauses: UInt32 = 0
  /// Called in the midst of every packet: a test reads there.
  var whileWriting: (() -> Void)?
  /// When the file was last looked at in its place, by the capture times.
  private var lastLook: MonotonicTime?

  /// Creates a ring with room for at least two seconds, in place of a file of that name. Its memory is reserved and
  /// touched before this returns.
  public init(path: String, format: AudioRingFormat, session: RingSession) throws(RingError) {
    self.path = path
    self.session = session
    ring = try WritableAudioRing(
      path: path, format: format, session: session, firstFrame: 0, firstPacket: 0)
    try ring.show(at: path)
  }

  /// The number of frames published in this session.
  public var framesPublished: UInt64 { ring.frameCount }

  /// The frames the present file has room for.
  public var capacity: Int { ring.layout.capacity }

  /// Whether the session is live or paused, as readers see it.
  public var isPaused: Bool = false {
    didSet {
      if oldValue, !isPaused { pauses &+= 1 }
      if !isFinished { ring.set(state) }
    }
  }

  private var state: RingState { isPaused ? .paused : .live }

  /// Counts packets that came but could not be published.
  public func countDrop(_ count: UInt64 = 1) {
    drops += count
    ring.set(dropped: drops)
  }

  /// Publishes a packet: whole frames as `format` has them, the first of which was heard at `captureTime`.
  ///
  /// Another format than before moves the session to another file, and so does a file that was cut short or taken
  /// away. Not after ``finish()``.
  public func publish(
    _ samples: Span<UInt8>, format: AudioRingFormat, captureTime: MonotonicTime
  ) throws(RingError) {
    precondition(!isFinished, "the session is over")
    precondition(samples.count % format.bytesPerFrame == 0, "a packet has whole frames")
    if format != ring.format || !ring.isThere {
      try replace(with: format)
    } else if isDue(captureTime), !ring.isWhole(at: path) {
      // Readers that have the file go on; why nobody else can have it, they say. It is tried again by and by.
      do { try replace(with: format) } catch {}
    }
    let most = ring.layout.packetCapacity * format.bytesPerFrame
    var offset = 0
    while offset < samples.count {
      let part = samples.extracting(offset..<min(offset + most, samples.count))
      let later = format.duration(ofFrames: UInt64(offset / format.bytesPerFrame))
      ring.write(
        part, at: captureTime + .nanoseconds(Int64(later.rounded())), pauses: pauses, midway: whileWriting)
      offset += part.count
    }
  }

  /// Marks the session as over, for readers that hold the file, and removes the file.
  public func finish() throws(StorageError) {
    guard !isFinished else { return }
    isFinished = true
    ring.set(.finished)
    do throws(SystemError) {
      // A file of that name that is not ours any more is left alone.
      if try System.statusWithoutFollowing(path).identity == ring.identity { try System.remove(path) }
    } catch {
      if error.code != System.Code.missing { throw .system(error) }
    }
  }

  /// Whether the file should be looked at in its place again: twice a second, as the frames'.
  private func isDue(_ time: MonotonicTime) -> Bool {
    guard let last = lastLook, time >= last, time.nanoseconds(since: last) <= FrameRingWriter.checkInterval
    else {
      defer { lastLook = time }
      return lastLook != nil
    }
    return false
  }

  private func replace(with format: AudioRingFormat) throws(RingError) {
    let next = try WritableAudioRing(
      path: path, format: format, session: session, firstFrame: ring.frameCount,
      firstPacket: ring.packetCount)
    next.set(state)
    next.set(dropped: drops)
    try next.show(at: path)
    // Who sees the mark finds the new file under the name.
    ring.set(.replaced)
    ring = next
  }
}
