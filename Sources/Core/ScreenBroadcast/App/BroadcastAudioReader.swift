import Platform
import SharedMemory

/// Reads all audio of a stream, across sessions.
final class BroadcastAudioReader {
  let sessions: SessionReader<AudioRingReader>
  private let stream: BroadcastAudioStream
  private let clock: any MonotonicClock
  /// The session and position at which the next read begins. Kept while no ring is open, so that a reopened ring repeats nothing.
  private var last: (session: UInt64, position: AudioRingPosition)?
  /// Whether the next read skips audio that is older than the backlog.
  private(set) var joins = true
  var statistics = AudioBufferContext.Statistics()
  private var missing: (gaps: UInt64, frames: UInt64) = (0, 0)
  /// The number of packets that the extension dropped, in the session read last and in earlier sessions.
  private var drops: (session: UInt64?, present: UInt64, before: UInt64) = (nil, 0, 0)

  init(container: AppGroupContainer, stream: BroadcastAudioStream, clock: any MonotonicClock = SystemClock())
  {
    sessions = SessionReader(
      path: container.audioFile(for: stream), lockFile: container.producerLockFile)
    self.stream = stream
    self.clock = clock
  }

  /// Starts over with the file at the path, and skips audio that is older than the backlog.
  func join() {
    sessions.reopen()
    joins = true
  }

  /// The amount of audio from before a subscription that is still reported. An app that polls the flag every half second
  /// subscribes up to half a second late.
  private static let backlog = Duration.seconds(1)

  /// Returns the new runs; `nil` if there are none.
  func newRuns() throws(FileError) -> [BroadcastAudio]? {
    let runs = try sessions.next(open: open) { ring throws(FileError) -> RingUpdate<[BroadcastAudio]>? in
      let runs = try read(ring)
      guard let last = runs.last else { return nil }
      let length = Duration.seconds(1) * (Double(last.frameCount) / last.sampleRate)
      return (runs, clock.now - last.time - length)
    }
    joins = false
    // Advance only after `next(open:read:)`: if it throws because the extension cannot be checked, this audio is read again.
    if let reader = sessions.ring { last = (reader.session.id, reader.position) }
    guard let runs else { return nil }
    statistics.gaps += missing.gaps
    statistics.framesLost &+= missing.frames
    return runs
  }

  private func open(_ path: String) throws(FileError) -> AudioRingReader {
    let reader = try AudioRingReader(path: path)
    if let last, last.session == reader.session.id { reader.resume(at: last.position) }
    return reader
  }

  private func read(_ reader: AudioRingReader) throws(FileError) -> [BroadcastAudio] {
    if drops.session != reader.session.id { drops = (reader.session.id, 0, drops.before &+ drops.present) }
    drops.present = max(drops.present, reader.packetsDropped)
    statistics.packetsDropped = drops.before &+ drops.present
    let before = (reader.gaps, reader.framesLost)
    let runs = try reader.read(joiningWith: joins ? Self.backlog : nil)
    missing = (reader.gaps - before.0, reader.framesLost &- before.1)
    return runs.map { run in
      BroadcastAudio(
        stream: stream, sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount,
        samples: run.samples, time: run.captureTime, index: run.firstFrame, session: reader.session.id,
        pauses: run.pauses)
    }
  }
}
