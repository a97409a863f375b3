import Platform

/// An audio ring, mapped for writing: the sound of one session, as long as its format stays.
struct WritableAudioRing {
  private typealias Header = AudioRingLayout.Header
  private typealias Packet = AudioRingLayout.Packet

  let format: AudioRingFormat
  let layout: AudioRingLayout
  private let file: MappedFile
  private let magic: SharedAtomic
  private let state: SharedAtomic
  private let reserved: SharedAtomic
  private let written: SharedAtomic
  private let packets: SharedAtomic
  private let packetsDropped: SharedAtomic
  private let sequences: SharedAtomicRow
  /// Frames and packets of the session, in this file and earlier ones.
  private(set) var frameCount: UInt64
  private(set) var packetCount: UInt64

  /// Creates the file under a working name; it is complete before it is shown.
  init(
    path: String, format: AudioRingFormat, session: RingSession, firstFrame: UInt64, firstPacket: UInt64
  ) throws(RingError) {
    self.format = format
    let layout = AudioRingLayout(format)
    self.layout = layout
    do { file = try MappedFile(creatingAt: path + ".new", byteCount: layout.byteCount) } catch {
      throw .storage(error)
    }
    file.populate()
    magic = SharedAtomic(at: Header.magic, of: file)
    state = SharedAtomic(at: Header.state, of: file)
    reserved = SharedAtomic(at: Header.reserved, of: file)
    written = SharedAtomic(at: Header.written, of: file)
    packets = SharedAtomic(at: Header.packets, of: file)
    packetsDropped = SharedAtomic(at: Header.packetsDropped, of: file)
    sequences = AudioRingLayout.sequences(of: file)
    frameCount = firstFrame
    packetCount = firstPacket
    file.withMutableBytes(0..<Header.constantByteCount) { header in
      header.storeLittleEndian(AudioRingLayout.magic, at: Header.magic)
      header.storeLittleEndian(AudioRingLayout.version, at: Header.version)
      header.storeLittleEndian(UInt32(format.channelCount), at: Header.channelCount)
      header.storeLittleEndian(format.sampleRate.bitPattern, at: Header.sampleRate)
      header.storeLittleEndian(UInt32(AudioRingFormat.bitsPerSample), at: Header.bitsPerSample)
      header.storeLittleEndian(UInt32(format.isBigEndian ? 1 : 0), at: Header.isBigEndian)
      header.storeLittleEndian(UInt64(layout.capacity), at: Header.capacity)
      header.storeLittleEndian(UInt64(layout.byteCount), at: Header.fileSize)
      header.storeLittleEndian(session.id, at: Header.session)
      header.storeLittleEndian(session.startTime.nanoseconds, at: Header.startTime)
      header.storeLittleEndian(session.processID, at: Header.processID)
      header.storeLittleEndian(firstFrame, at: Header.firstFrame)
      header.storeLittleEndian(firstPacket, at: Header.firstPacket)
    }
    reserved.storeRelaxed(firstFrame)
    written.storeRelaxed(firstFrame)
    packets.storeRelaxed(firstPacket)
    set(.live)
  }

  /// Puts the file in its place, in one step: readers see the old ring or the whole new one.
  func show(at path: String) throws(RingError) {
    do { try file.show(at: path) } catch { throw .storage(error) }
  }

  /// Which file it is, whatever its name.
  var identity: FileStatus.Identity { file.identity }

  /// Whether the file is all there: all bytes are 0 once a page behind the end of a file cut short was touched.
  var isThere: Bool { magic.loadRelaxed() == AudioRingLayout.magic }

  /// Whether the file is at `path` and has its length: a page that was cut off and is not touched tells nothing.
  func isWhole(at path: String) -> Bool {
    do throws(SystemError) {
      let status = try System.statusWithoutFollowing(path)
      return status.identity == file.identity && status.byteCount == layout.byteCount
    } catch {
      return false
    }
  }

  /// Writes one packet of whole frames, at most ``AudioRingLayout/packetCapacity`` of them.
  /// - Parameter midway: called when the samples and the entry are there and nobody was told yet, for tests.
  mutating func write(
    _ samples: Span<UInt8>, at captureTime: MonotonicTime, pauses: UInt32, midway: (() -> Void)?
  ) {
    let count = UInt64(samples.count / layout.bytesPerFrame)
    let frames = frameCount..<(frameCount + count)
    precondition(count > 0 && count <= UInt64(layout.packetCapacity), "a packet is larger than its place")
    let sequence = sequences[Int(packetCount % UInt64(Packet.count))]
    // SYNC: both must be visible before any byte of the packet, or of its entry, changes. The release fence orders
    // the stores before the writes that follow; partners are the acquire fences in AudioRingReader, after a copy of
    // samples and after one of an entry. The stores themselves release `written` and `packets` as they were before;
    // partners are the acquire of `reserved` in AudioRingReader.read and of the counter in AudioRingReader.packet.
    reserved.storeReleasing(frames.upperBound)
    sequence.storeReleasing(AudioRingLayout.writing(packetCount))
    SharedAtomic.releaseFence()
    var offset = 0
    for place in layout.places(of: frames) {
      let source = samples.extracting(offset..<(offset + place.count))
      // UNSAFE: the ring's own bytes of so many frames; the source is another mapping or the caller's memory.
      let target = unsafe UnsafeMutableRawBufferPointer(
        file.bytes(from: place.lowerBound, count: place.count))
      unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
      offset += place.count
    }
    let entry = AudioRingLayout.packetOffset(packetCount)
    file.withMutableBytes(entry..<(entry + Packet.byteCount)) { entry in
      entry.storeLittleEndian(frames.lowerBound, at: Packet.firstFrame)
      entry.storeLittleEndian(UInt32(count), at: Packet.frameCount)
      entry.storeLittleEndian(pauses, at: Packet.pauses)
      entry.storeLittleEndian(captureTime.nanoseconds, at: Packet.captureTime)
    }
    midway?()
    // SYNC: release; partner is the acquire of the counter in AudioRingReader.packet: who sees the even counter sees
    // the entry.
    sequence.storeReleasing(AudioRingLayout.complete(packetCount))
    frameCount = frames.upperBound
    packetCount += 1
    packets.storeRelaxed(packetCount)
    // SYNC: release; partner is the acquire load of `written` in AudioRingReader: who sees the count sees the samples,
    // the entry and `packets`.
    written.storeReleasing(frameCount)
  }

  /// Says how many packets of the session could not be published.
  func set(dropped: UInt64) { packetsDropped.storeRelaxed(dropped) }

  /// Says what the session is up to.
  func set(_ value: RingState) {
    // SYNC: release; partner is the acquire in AudioRingReader.state: who sees the state sees what was written
    // before it.
    state.storeReleasing(value.rawValue)
  }
}

extension AudioRingLayout {
  /// The counters of the packet table, in `file`, which must outlive them.
  static func sequences(of file: MappedFile) -> SharedAtomicRow {
    SharedAtomicRow(
      at: packetsOffset + Packet.sequence, stride: Packet.byteCount, count: Packet.count, of: file)
  }
}
