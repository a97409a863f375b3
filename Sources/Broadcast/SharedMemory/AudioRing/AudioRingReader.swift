import Platform

/// A reader of an audio ring: any number of them, in any process of the user.
///
/// ```swift
/// let ring = try AudioRingReader(path: path)
/// for run in try ring.read() { play(run.samples) }
/// ```
/// The file is mapped read-only: a reader cannot block or corrupt the writer. It has a position of its own and reads
/// everything new in whole packets. It copies, and looks afterwards how far the writer has come: what may have been
/// overwritten meanwhile is thrown away, and counted as lost. Not thread-safe: one thread at a time reads.
public final class AudioRingReader {
  private typealias Header = AudioRingLayout.Header
  private typealias Packet = AudioRingLayout.Packet

  /// The path of the ring file.
  public let path: String
  /// The run of the producer this ring belongs to.
  public let session: RingSession
  /// How the samples are encoded in the file.
  public let format: AudioRingFormat
  /// Where the next read begins: frames and packets of the session.
  public private(set) var position = AudioRingPosition()
  /// Places in the sound at which frames are missing, because they were overwritten before they were read.
  public private(set) var gaps: UInt64 = 0
  /// The frames that are missing there.
  public private(set) var framesLost: UInt64 = 0

  private let file: MappedFile
  private let layout: AudioRingLayout
  private let firstFrame: UInt64
  private let firstPacket: UInt64
  private let stateWord: SharedAtomic
  private let reserved: SharedAtomic
  private let written: SharedAtomic
  private let packets: SharedAtomic
  private let dropped: SharedAtomic
  private let sequences: SharedAtomicRow
  private let checksAfterwards: Bool
  private let whileReading: () -> Void

  /// Opens the ring at `path`. Every number in its header is checked before it is used. The first read begins with
  /// the session's first frame; what is not there any more counts as lost.
  public convenience init(path: String) throws(RingError) {
    try self.init(path: path, checksAfterwards: true)
  }

  /// - Parameters:
  ///   - checksAfterwards: false only in a control, which must see torn samples.
  ///   - whileReading: called between two halves of every copy, for a writer to come round there.
  package init(
    path: String, checksAfterwards: Bool, whileReading: @escaping () -> Void = {}
  ) throws(RingError) {
    let file: MappedFile
    do { file = try MappedFile(path: path) } catch {
      if case .empty = error { throw .damaged(path: path) }
      throw .storage(error)
    }
    // The header is copied once, and only the copy is judged: the file may change under us.
    let header = file.withBytes { bytes in
      (0..<min(bytes.count, Header.constantByteCount)).map { bytes[$0] }
    }
    // Bytes that were cut off while they were copied are zeros, which say nothing about the file.
    if file.isLost { throw .lost(path: path) }
    guard header.count == Header.constantByteCount else { throw .notAnAudioRing(path: path) }
    let fields = header.span
    guard fields.loadLittleEndian(at: Header.magic) == AudioRingLayout.magic else {
      throw .notAnAudioRing(path: path)
    }
    let version = fields.loadLittleEndian(at: Header.version, as: UInt32.self)
    guard version == AudioRingLayout.version else { throw .otherAudioVersion(path: path, found: version) }
    guard let format = AudioRingFormat(header: fields),
      let layout = AudioRingLayout(
        format, capacity: fields.loadLittleEndian(at: Header.capacity),
        fileSize: fields.loadLittleEndian(at: Header.fileSize), actualSize: file.byteCount)
    else { throw .damaged(path: path) }
    firstFrame = fields.loadLittleEndian(at: Header.firstFrame)
    firstPacket = fields.loadLittleEndian(at: Header.firstPacket)
    guard max(firstFrame, firstPacket) < AudioRingLayout.countLimit else { throw .damaged(path: path) }
    self.path = path
    self.file = file
    self.format = format
    self.layout = layout
    self.checksAfterwards = checksAfterwards
    self.whileReading = whileReading
    session = RingSession(
      id: fields.loadLittleEndian(at: Header.session),
      processID: fields.loadLittleEndian(at: Header.processID),
      startTime: MonotonicTime(nanoseconds: fields.loadLittleEndian(at: Header.startTime)))
    stateWord = SharedAtomic(at: Header.state, of: file)
    reserved = SharedAtomic(at: Header.reserved, of: file)
    written = SharedAtomic(at: Header.written, of: file)
    packets = SharedAtomic(at: Header.packets, of: file)
    dropped = SharedAtomic(at: Header.packetsDropped, of: file)
    sequences = AudioRingLayout.sequences(of: file)
    position.packet = firstPacket
    file.populate()
  }

  /// What the writer says of the session; `nil` when it says nothing known.
  public var state: RingState? {
    // SYNC: acquire; partner is the release store in WritableAudioRing.set.
    RingState(rawValue: stateWord.loadAcquiring())
  }

  /// The frames the ring has room for.
  public var capacity: Int { layout.capacity }

  /// The number of frames the writer has published in its session, whether read or not.
  public var framesPublished: UInt64 { written.loadRelaxed() }

  /// The number of packets that came to the writer and could not be published.
  public var packetsDropped: UInt64 { dropped.loadRelaxed() }

  /// Goes on where a reader of an earlier file of the same session, or of this one, left off.
  public func goOn(at position: AudioRingPosition) {
    self.position = AudioRingPosition(frame: position.frame, packet: max(position.packet, firstPacket))
  }

  /// Whether the file at the path is still the one this reader has open.
  public func isCurrent() throws(RingError) -> Bool {
    do { return try file.isAt(path) == true } catch { throw .storage(error) }
  }

  /// Reads everything new, in runs without a break.
  /// - Parameter backlog: when not `nil`, packets that begin more than `backlog` before the end are left out,
  ///   and nothing counts as lost: for a reader that joins a session.
  /// - Returns: the runs; none when there is nothing new, or when the writer overtook every one of a few attempts,
  ///   which the next read counts.
  public func read(joiningWith backlog: Duration? = nil) throws(RingError) -> [AudioRun] {
    for _ in 0..<Self.attempts {
      // SYNC: acquire; partner is the release store in WritableAudioRing.write.
      let end = written.loadAcquiring()
      // A file that goes on with a session has nothing before its first packet; what is missing there, the next
      // read counts.
      if end == max(position.frame, firstFrame) {
        if backlog != nil { position.frame = end }
        // The state is never 0 in a ring that can be opened by its path; all bytes are where the file was cut short.
        if stateWord.loadRelaxed() == 0 { throw .lost(path: path) }
        return []
      }
      guard end > position.frame, end >= firstFrame, end < AudioRingLayout.countLimit else { throw fault }
      var found = try self.packets(upTo: end)
      // SYNC: acquire; partner is the release store of `reserved` in WritableAudioRing.write: `written` below is at least
      // what it was when that place was reserved.
      let room = reserved.loadAcquiring()
      guard room >= end, room <= written.loadRelaxed() &+ UInt64(layout.packetCapacity) else { throw fault }
      drop(&found, overwrittenUpTo: room)
      if let backlog { join(&found, backlog: backlog) }
      guard let first = found.first else { continue }
      guard end - first.frames.lowerBound <= UInt64(layout.capacity) else { throw fault }
      let samples = copy(first.frames.lowerBound..<end)
      // SYNC: the acquire fence keeps the copy before the second look; its partner is the release fence in
      // WritableAudioRing.write. Who copied a byte of a later packet sees the place reserved for it.
      SharedAtomic.acquireFence()
      if checksAfterwards { drop(&found, overwrittenUpTo: reserved.loadRelaxed()) }
      if file.isLost { throw .lost(path: path) }
      guard let kept = found.first, let last = found.last else { continue }
      if backlog == nil { countGap(before: kept.frames.lowerBound) }
      position = AudioRingPosition(frame: end, packet: last.number + 1)
      return runs(of: found, in: samples, from: first.frames.lowerBound)
    }
    return []
  }

  private static let attempts = 4

  /// Why numbers contradict each other: because the file was cut short, or because they were bent.
  private var fault: RingError {
    stateWord.loadRelaxed() == 0 || file.isLost ? .lost(path: path) : .damaged(path: path)
  }

  /// What the table says of a packet.
  struct Entry {
    var number: UInt64
    var frames: Range<UInt64>
    var captureTime: MonotonicTime
    var pauses: UInt32
  }

  /// The packets from the position up to frame `end`, as the table has them still.
  private func packets(upTo end: UInt64) throws(RingError) -> [Entry] {
    // Not older than `written`, which the writer stores after it.
    let count = packets.loadRelaxed()
    guard count > position.packet, count < AudioRingLayout.countLimit else { throw fault }
    var number = max(position.packet, count - min(count, UInt64(Packet.count)))
    var found: [Entry] = []
    var isLapped = number > position.packet
    while number < count {
      guard let entry = try packet(number) else {
        // Gone over, and with it all before it.
        found.removeAll(keepingCapacity: true)
        isLapped = true
        number += 1
        continue
      }
      if entry.frames.upperBound > end { break }
      let expected = found.last?.frames.upperBound
      guard expected ?? entry.frames.lowerBound == entry.frames.lowerBound,
        entry.frames.lowerBound >= max(position.frame, firstFrame)
      else { throw fault }
      found.append(entry)
      number += 1
    }
    guard found.last.map({ $0.frames.upperBound == end }) ?? isLapped else { throw fault }
    return found
  }

  /// What the table says of a packet; `nil` when a later one has its entry. The bytes may be anything, and may change:
  /// each is read once.
  private func packet(_ number: UInt64) throws(RingError) -> Entry? {
    let sequence = sequences[Int(number % UInt64(Packet.count))]
    // SYNC: acquire; partners are the release stores of the odd and the even counter in WritableAudioRing.write.
    let before = sequence.loadAcquiring()
    if before != AudioRingLayout.complete(number) {
      // Not older than the counter: the writer is in packet `packets` at the most.
      guard before >= AudioRingLayout.writing(number + UInt64(Packet.count)),
        before <= AudioRingLayout.complete(packets.loadRelaxed())
      else { throw fault }
      return nil
    }
    let start = AudioRingLayout.packetOffset(number)
    let (first, count, time, pauses) = file.withBytes { bytes in
      (
        bytes.loadLittleEndian(at: start + Packet.firstFrame, as: UInt64.self),
        UInt64(bytes.loadLittleEndian(at: start + Packet.frameCount, as: UInt32.self)),
        bytes.loadLittleEndian(at: start + Packet.captureTime, as: UInt64.self),
        bytes.loadLittleEndian(at: start + Packet.pauses, as: UInt32.self)
      )
    }
    // SYNC: the acquire fence keeps the reads of the entry before the second look at its counter; its partner is the
    // release fence in WritableAudioRing.write.
    SharedAtomic.acquireFence()
    guard sequence.loadRelaxed() == before else { return nil }
    guard (1...UInt64(layout.packetCapacity)).contains(count), first < AudioRingLayout.countLimit else {
      throw fault
    }
    return Entry(
      number: number, frames: first..<(first + count), captureTime: MonotonicTime(nanoseconds: time),
      pauses: pauses)
  }

  /// Leaves out the packets of which a frame may be overwritten, as the writer has reserved up to `room`.
  private func drop(_ found: inout [Entry], overwrittenUpTo room: UInt64) {
    let oldest = room - min(room, UInt64(layout.capacity))
    found.removeAll { $0.frames.lowerBound < oldest }
  }

  private func join(_ found: inout [Entry], backlog: Duration) {
    guard let end = found.last?.frames.upperBound else { return }
    let most = UInt64(max(0, min(backlog / .seconds(1) * format.sampleRate, Double(layout.capacity))))
    let start = found.firstIndex { end - $0.frames.lowerBound <= most } ?? found.count - 1
    found.removeFirst(start)
  }

  private func countGap(before frame: UInt64) {
    guard frame > position.frame else { return }
    gaps += 1
    framesLost &+= frame - position.frame
  }

  /// The samples of frames, in this machine's byte order. The writer may be changing them.
  private func copy(_ frames: Range<UInt64>) -> [Int16] {
    let halves: [Range<UInt64>] = [
      frames.lowerBound..<(frames.lowerBound + UInt64(frames.count / 2)),
      (frames.lowerBound + UInt64(frames.count / 2))..<frames.upperBound,
    ]
    let places = halves.flatMap { half in layout.places(of: half) }
    let firstHalf = layout.places(of: halves[0]).count
    let isSwapped = format.isBigEndian
    // UNSAFE: as many samples are initialised as the places have bytes for; the race on the bytes is by design.
    return unsafe [Int16](unsafeUninitializedCapacity: frames.count * format.channelCount) { samples, count in
      var offset = 0
      for (index, place) in places.enumerated() {
        if index == firstHalf { whileReading() }
        let target = unsafe UnsafeMutableRawBufferPointer(samples)[offset..<(offset + place.count)]
        file.withBytes { bytes in
          unsafe bytes.extracting(place).withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(from: $0)
          }
        }
        offset += place.count
      }
      count = offset / 2
      for index in 0..<count {
        unsafe samples[index] =
          isSwapped ? Int16(bigEndian: samples[index]) : Int16(littleEndian: samples[index])
      }
    }
  }
}
