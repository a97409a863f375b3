import Platform

/// A position in the audio of a session, between two packets.
public struct AudioRingPosition: Equatable, Sendable {
  /// The number of frames before the position.
  public var frame: UInt64 = 0
  /// The number of packets before the position.
  public var packet: UInt64 = 0
}

/// Reads an audio ring. Any number of readers may exist, in any process of the user.
///
/// ```swift
/// let ring = try AudioRingReader(path: path)
/// for run in try ring.read() { play(run.samples) }
/// ```
/// The file is mapped read-only, so a reader cannot block or corrupt the writer. It reads all new packets from its position on.
/// After copying them it checks how far the writer has advanced: packets that may have been overwritten are discarded and counted
/// as lost. Not thread-safe: only one thread at a time may read.
public final class AudioRingReader: OpenRing {
  private typealias Packet = AudioRingLayout.Packet

  /// The position in the session at which the next read begins.
  public private(set) var position = AudioRingPosition()
  /// The number of gaps, where frames were overwritten before they were read.
  public private(set) var gaps: UInt64 = 0
  /// The number of frames missing in the gaps.
  public private(set) var framesLost: UInt64 = 0

  private let audio: AudioRingFile
  private let checksAfterwards: Bool
  private let whileReading: () -> Void

  /// Opens the ring at `path`. Every number in its header is validated before it is used. The first read begins with the first
  /// frame of the session; overwritten frames count as lost.
  /// - Throws: the error if the file cannot be opened; `notARing`, `otherVersion` or `damaged` for invalid content; `cutShort` if
  ///   the file is truncated at that moment.
  public convenience init(path: String) throws(FileError) {
    try self.init(path: path, checksAfterwards: true)
  }

  /// - Parameters:
  /// - checksAfterwards: `false` only in a control test, which has to see torn samples.
  /// - whileReading: called between the two halves of every copy, so that a test can write at that point.
  package init(
    path: String, checksAfterwards: Bool, whileReading: @escaping () -> Void = {}
  ) throws(FileError) {
    audio = try AudioRingFile(at: path)
    self.checksAfterwards = checksAfterwards
    self.whileReading = whileReading
    position.packet = audio.firstPacket
  }

  /// The mapped file.
  public var ring: RingFile { audio.ring }

  /// The encoding of the samples in the file.
  public var format: AudioRingFormat { audio.layout.format }

  /// The capacity of the ring in frames.
  public var capacity: Int { audio.layout.capacity }

  /// The number of frames that the writer has published in its session, including a packet that it is writing.
  public var framesPublished: UInt64 { audio.reserved.loadRelaxed() }

  /// The number of packets that reached the writer but could not be published.
  public var packetsDropped: UInt64 { audio.ring.dropCount }

  /// Continues at the position of another reader of the same session.
  public func resume(at position: AudioRingPosition) {
    self.position = AudioRingPosition(frame: position.frame, packet: max(position.packet, audio.firstPacket))
  }

  /// Reads all new audio as runs of consecutive frames.
  /// - Parameter backlog: pass it when joining a session. Packets that begin more than `backlog` before the end are skipped, and
  ///   nothing counts as lost.
  /// - Returns: the runs; empty if there is no new audio, or if the writer overtook every attempt (the next read counts the
  ///   loss).
  /// - Throws: `cutShort` if the file was truncated, `damaged` if its numbers contradict each other.
  public func read(joiningWith backlog: Duration? = nil) throws(FileError) -> [AudioRun] {
    for _ in 0..<Self.attempts {
      // SYNC: acquire; the partner is the release store of `packets` in AudioRingWriter.write. The samples, entries and even
      // counters of all packets counted here are written, or were overwritten by a later lap.
      let count = audio.packets.loadAcquiring()
      // A file that continues a session has nothing before its first packet. The next read counts the missing frames.
      if count == position.packet {
        if backlog != nil { position.frame = max(position.frame, audio.firstFrame) }
        try audio.ring.checkForLoss()
        return []
      }
      guard count > position.packet, count < AudioRingLayout.countLimit else { throw audio.ring.fault }
      var found = try packets(upTo: count)
      guard let end = found.last?.frames.upperBound else { continue }
      // SYNC: acquire; the partner is the release store of `reserved` in AudioRingWriter.write: `packets` below is at least its
      // value at the time that range was reserved.
      let room = audio.reserved.loadAcquiring()
      guard isPossible(room, beyond: end, of: count, now: audio.packets.loadRelaxed()) else {
        throw audio.ring.fault
      }
      drop(&found, overwrittenUpTo: room)
      if let backlog { join(&found, backlog: backlog) }
      guard let first = found.first else { continue }
      guard end - first.frames.lowerBound <= UInt64(audio.layout.capacity) else { throw audio.ring.fault }
      let samples = copy(first.frames.lowerBound..<end)
      // SYNC: the acquire fence keeps the copy before the second load; the partner is the release fence in
      // AudioRingWriter.write. A reader that copied a byte of a later packet sees the range reserved for it.
      SharedAtomic.acquireFence()
      if checksAfterwards { drop(&found, overwrittenUpTo: audio.reserved.loadRelaxed()) }
      try audio.ring.checkForLoss()
      guard let kept = found.first, let last = found.last else { continue }
      if backlog == nil { countGap(before: kept.frames.lowerBound) }
      position = AudioRingPosition(frame: end, packet: last.number + 1)
      return runs(of: found, in: samples, from: first.frames.lowerBound)
    }
    return []
  }

  private static let attempts = 4

  struct Entry {
    var number: UInt64
    var frames: Range<UInt64>
    var captureTime: MonotonicTime
    var pauses: UInt32
  }

  /// Whether `room` is a possible value of `reserved`. `count` packets end at frame `end`. Neither the packets from there up to
  /// number `now`, nor the packet being written, can be larger than a packet may be.
  private func isPossible(_ room: UInt64, beyond end: UInt64, of count: UInt64, now: UInt64) -> Bool {
    let most = UInt64(audio.layout.packetCapacity)
    return room >= end && room < AudioRingLayout.countLimit && now >= count
      && (room - end + most - 1) / most <= now - count + 1
  }

  /// Returns the packets from the position up to number `count` that the table still has. The last of them is the newest packet,
  /// unless the result is empty.
  private func packets(upTo count: UInt64) throws(FileError) -> [Entry] {
    var found: [Entry] = []
    for number in max(position.packet, count - min(count, UInt64(Packet.count)))..<count {
      guard let entry = try packet(number) else {
        // This packet was overwritten, and therefore all earlier ones too.
        found.removeAll(keepingCapacity: true)
        continue
      }
      let expected = found.last?.frames.upperBound
      guard expected ?? entry.frames.lowerBound == entry.frames.lowerBound,
        entry.frames.lowerBound >= max(position.frame, audio.firstFrame)
      else { throw audio.ring.fault }
      found.append(entry)
    }
    return found
  }

  /// Returns the entry of a packet; `nil` if a later packet has replaced it. The bytes are untrusted and may change, so each is
  /// read once.
  private func packet(_ number: UInt64) throws(FileError) -> Entry? {
    let sequence = audio.sequences[Int(number % UInt64(Packet.count))]
    // SYNC: acquire; the partners are the release stores of the odd and the even counter in AudioRingWriter.write.
    let before = sequence.loadAcquiring()
    if before != RingLayout.complete(number) {
      // `packets` is read after the counter, so it is at least as new: the writer is at most in packet `packets`.
      guard before >= RingLayout.writing(number + UInt64(Packet.count)),
        before <= RingLayout.complete(audio.packets.loadRelaxed())
      else { throw audio.ring.fault }
      return nil
    }
    let start = AudioRingLayout.packetOffset(number)
    let (first, count, time, pauses) = audio.ring.file.withBytes { bytes in
      (
        bytes.loadLittleEndian(at: start + Packet.firstFrame, as: UInt64.self),
        UInt64(bytes.loadLittleEndian(at: start + Packet.frameCount, as: UInt32.self)),
        bytes.loadLittleEndian(at: start + Packet.captureTime, as: UInt64.self),
        bytes.loadLittleEndian(at: start + Packet.pauses, as: UInt32.self)
      )
    }
    // SYNC: the acquire fence keeps the reads of the entry before the second load of its counter; the partner is the release
    // fence in AudioRingWriter.write.
    SharedAtomic.acquireFence()
    guard sequence.loadRelaxed() == before else { return nil }
    guard (1...UInt64(audio.layout.packetCapacity)).contains(count), first < AudioRingLayout.countLimit else {
      throw audio.ring.fault
    }
    return Entry(
      number: number, frames: first..<(first + count), captureTime: MonotonicTime(nanoseconds: time),
      pauses: pauses)
  }

  /// Removes packets with frames that may be overwritten, now that the writer has reserved the frames up to `room`.
  private func drop(_ found: inout [Entry], overwrittenUpTo room: UInt64) {
    let oldest = room - min(room, UInt64(audio.layout.capacity))
    found.removeAll { $0.frames.lowerBound < oldest }
  }

  private func join(_ found: inout [Entry], backlog: Duration) {
    guard let end = found.last?.frames.upperBound else { return }
    let most = UInt64(max(0, min(backlog / .seconds(1) * format.sampleRate, Double(audio.layout.capacity))))
    let start = found.firstIndex { end - $0.frames.lowerBound <= most } ?? found.count - 1
    found.removeFirst(start)
  }

  private func countGap(before frame: UInt64) {
    guard frame > position.frame else { return }
    gaps += 1
    framesLost &+= frame - position.frame
  }

  /// Copies the samples of frames, in the host's byte order. The writer may be changing them.
  private func copy(_ frames: Range<UInt64>) -> [Int16] {
    let middle = frames.lowerBound + UInt64(frames.count / 2)
    let isSwapped = format.isBigEndian
    // UNSAFE: the ranges have bytes for all initialized samples; the race on the bytes is by design.
    return unsafe [Int16](unsafeUninitializedCapacity: frames.count * format.channelCount) { samples, count in
      var offset = 0
      for half in [frames.lowerBound..<middle, middle..<frames.upperBound] {
        for place in audio.layout.places(of: half) {
          let target = unsafe UnsafeMutableRawBufferPointer(samples)[offset..<(offset + place.count)]
          audio.ring.file.withBytes { bytes in
            unsafe bytes.extracting(place).withUnsafeBytes {
              unsafe UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(from: $0)
            }
          }
          offset += place.count
        }
        if half.upperBound == middle { whileReading() }
      }
      count = offset / 2
      for index in 0..<count {
        unsafe samples[index] =
          isSwapped ? Int16(bigEndian: samples[index]) : Int16(littleEndian: samples[index])
      }
    }
  }
}

/// Consecutive frames of audio.
public struct AudioRun: Equatable, Sendable {
  /// The number of frames of the session before this run.
  public var firstFrame: UInt64
  /// The capture time of the first frame.
  public var captureTime: MonotonicTime
  /// The samples in the host's byte order, with interleaved channels.
  public var samples: [Int16]
  /// The number of pauses of the session before this run.
  public var pauses: UInt32 = 0
}

extension AudioRingReader {
  /// Joins packets into runs. A run ends at a pause, and at a packet whose time does not follow from the number of samples before
  /// it.
  func runs(of found: [Entry], in samples: [Int16], from first: UInt64) -> [AudioRun] {
    var runs: [Entry] = []
    for packet in found {
      if let last = runs.last, last.pauses == packet.pauses {
        let expected =
          Double(last.captureTime.nanoseconds) + format.nanoseconds(ofFrames: UInt64(last.frames.count))
        if abs(Double(packet.captureTime.nanoseconds) - expected) <= Self.tolerance {
          runs[runs.count - 1].frames = last.frames.lowerBound..<packet.frames.upperBound
          continue
        }
      }
      runs.append(packet)
    }
    return runs.map { run in
      let start = Int(run.frames.lowerBound - first) * format.channelCount
      let part = samples[start..<(start + run.frames.count * format.channelCount)]
      return AudioRun(
        firstFrame: run.frames.lowerBound, captureTime: run.captureTime,
        samples: part.count == samples.count ? samples : Array(part), pauses: run.pauses)
    }
  }

  /// The maximum difference within a run between a packet's time and the time computed from its samples, in nanoseconds (2 ms).
  private static let tolerance = 2_000_000.0
}
