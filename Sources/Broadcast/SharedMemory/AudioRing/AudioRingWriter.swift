import Platform

/// The only writer of an audio ring.
///
/// ```swift
/// let ring = try AudioRingWriter(path: path, format: format, session: session)
/// try ring.publish(bytes.span, format: format, captureTime: time)
/// try ring.finish()
/// ```
/// It never waits for a reader: audio that is not read in time is overwritten. The caller must hold the `ProducerLock`
/// of the container. Not thread-safe: one thread at a time publishes.
public final class AudioRingWriter: RingWriter {
  private var audio: AudioRingFile
  /// Called during every write of a packet, for tests.
  var whileWriting: (() -> Void)?
  /// The capture time at which the file's place was last checked.
  private var lastCheck: MonotonicTime?

  /// Creates a ring for at least two seconds of audio, which replaces the file at `path`. Its memory is reserved and
  /// populated before this returns.
  /// - Throws: `storage` if the file system has no room or refuses the file.
  public init(path: String, format: AudioRingFormat, session: RingSession) throws(RingError) {
    audio = try AudioRingFile(path: path, format: format, session: session)
    try super.init(path: path, session: session, ring: audio.ring)
  }

  /// The number of frames published in this session.
  public var framesPublished: UInt64 { audio.frameCount }

  /// The capacity of the present file in frames.
  public var capacity: Int { audio.layout.capacity }

  /// Publishes a packet of whole frames, the first of which was recorded at `captureTime`.
  ///
  /// A new format moves the session to a new file, and so does a file that was truncated or removed. Not after
  /// ``finish()``.
  /// - Throws: `storage` if a new file is needed and cannot be created.
  public func publish(
    _ samples: Span<UInt8>, format: AudioRingFormat, captureTime: MonotonicTime
  ) throws(RingError) {
    precondition(!isFinished, "the session is over")
    precondition(samples.count % format.bytesPerFrame == 0, "a packet has whole frames")
    if format != audio.format || !ring.isIntact {
      try replace(with: format)
    } else if isDue(captureTime), !ring.file.isIntact(at: path) {
      // Readers that have the old file mapped continue with it. The next check tries again.
      do { try replace(with: format) } catch {}
    }
    let most = audio.layout.packetCapacity * format.bytesPerFrame
    var offset = 0
    while offset < samples.count {
      let part = samples.extracting(offset..<min(offset + most, samples.count))
      let later = format.nanoseconds(ofFrames: UInt64(offset / format.bytesPerFrame))
      audio.write(
        part, at: captureTime + .nanoseconds(Int64(later.rounded())), pauses: pauses, midway: whileWriting)
      offset += part.count
    }
  }

  /// Marks the session as finished, for readers that have the file mapped, and removes the file.
  public func finish() throws(StorageError) {
    if !isFinished { try removeFile() }
  }

  /// Whether the file's place is to be checked again: twice a second, as that of the frames.
  private func isDue(_ time: MonotonicTime) -> Bool {
    guard let last = lastCheck, time >= last, time - last <= FrameRingWriter.checkInterval
    else {
      defer { lastCheck = time }
      return lastCheck != nil
    }
    return false
  }

  private func replace(with format: AudioRingFormat) throws(RingError) {
    let next = try AudioRingFile(
      path: path, format: format, session: session, firstFrame: audio.frameCount,
      firstPacket: audio.packetCount)
    try replaceFile(with: next.ring)
    audio = next
  }
}
