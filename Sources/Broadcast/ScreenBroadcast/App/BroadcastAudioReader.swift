import Platform
import SharedMemory

/// Reads the sound at a path whatever session it belongs to: opens the ring when there is one, follows a session into
/// a file of another format, and goes over to the next session when the extension starts again.
struct BroadcastAudioReader {
  private let path: String
  private let lockFile: String
  private let stream: BroadcastAudioStream
  private var reader: AudioRingReader?
  /// Where in which session the next read begins, kept while no ring is open: one opened again must repeat nothing.
  private var last: (session: UInt64, position: AudioRingPosition)?
  /// Whether sound that is there at the next look came before there was a listener.
  private var joins = true
  /// Called between two looks at the file, for a writer to come round there.
  var betweenLooks: () -> Void = {}
  /// Places at which frames are missing, over all sessions.
  private(set) var gaps: UInt64 = 0
  /// The frames that are missing there.
  private(set) var framesLost: UInt64 = 0

  init(container: AppGroupContainer, stream: BroadcastAudioStream) {
    path = container.audioFile(for: stream)
    lockFile = container.producerLockFile
    self.stream = stream
  }

  /// Of what came before a listener did, the last second is told: as much as may pass until an app that looks at the
  /// flag every half second has seen it.
  private static let backlog = Duration.seconds(1)

  /// The packets that came to the extension and did not travel: of the session read last, and of those before it.
  private var drops: (session: UInt64?, present: UInt64, before: UInt64) = (nil, 0, 0)

  /// Packets that came to the extension and did not travel, over all sessions.
  var packetsDropped: UInt64 { drops.before &+ drops.present }

  /// What comes before the next look was not listened to.
  mutating func join() { joins = true }

  /// Everything new, when the extension that published it did not die.
  mutating func next() throws(RingError) -> [BroadcastAudio] {
    do throws(RingError) {
      let news = try look()
      joins = false
      return news
    } catch {
      reader = nil
      throw error
    }
  }

  private mutating func look() throws(RingError) -> [BroadcastAudio] {
    guard let present = reader else { return try openNewer() ? try read() : [] }
    let news = try read()
    guard news.isEmpty else { return news }
    betweenLooks()
    if try present.isCurrent() { return [] }
    // The last packets may have come between the two looks. They are told before the newer file can fail.
    let rest = try read()
    guard rest.isEmpty else { return rest }
    return try openNewer() ? try read() : []
  }

  /// Opens the ring at the path; whether there is one.
  private mutating func openNewer() throws(RingError) -> Bool {
    do throws(RingError) {
      let newer = try AudioRingReader(path: path)
      if let last, last.session == newer.session.id { newer.resume(at: last.position) }
      reader = newer
      return true
    } catch {
      // No ring: none was started yet, or the session that was read is over and its reader can still tell so.
      if case .storage(let storage) = error, storage.isMissing { return false }
      throw error
    }
  }

  private mutating func read() throws(RingError) -> [BroadcastAudio] {
    guard let reader else { return [] }
    if drops.session != reader.session.id {
      drops = (reader.session.id, 0, drops.before &+ drops.present)
    }
    drops.present = max(drops.present, reader.packetsDropped)
    let before = (reader.gaps, reader.framesLost)
    let runs = try reader.read(joiningWith: joins ? Self.backlog : nil)
    let isOfTheDead: Bool
    do throws(StorageError) {
      isOfTheDead =
        runs.isEmpty
        ? false
        : try ProducerLock.isLeftByTheDead(reader.session, lockedAt: lockFile, state: { reader.state })
    } catch {
      throw .storage(error)
    }
    // Not before it is known what becomes of the sound: what could not be judged is read again.
    last = (reader.session.id, reader.position)
    guard !runs.isEmpty, !isOfTheDead else { return [] }
    gaps += reader.gaps - before.0
    framesLost &+= reader.framesLost &- before.1
    return runs.map { run in
      BroadcastAudio(
        stream: stream, sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount,
        samples: run.samples, time: run.captureTime, index: run.firstFrame, session: reader.session.id,
        pauses: run.pauses)
    }
  }
}
