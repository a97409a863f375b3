import Platform

/// A file of an audio ring, mapped by its writer or a reader. It has the audio of a session as long as the format stays the same.
struct AudioRingFile {
  private typealias Header = AudioRingLayout.Header

  var ring: RingFile
  let layout: AudioRingLayout
  /// The number of frames of the session in earlier files.
  let firstFrame: UInt64
  /// The number of packets of the session in earlier files.
  let firstPacket: UInt64
  let reserved: SharedAtomic
  let packets: SharedAtomic
  let sequences: SharedAtomicRow

  /// Creates the complete file under a temporary name.
  init(
    creatingFor path: String, _ layout: AudioRingLayout, session: RingSession, firstFrame: UInt64 = 0,
    firstPacket: UInt64 = 0
  ) throws(FileError) {
    let format = layout.format
    let ring = try RingFile(
      AudioRingLayout.self, creatingFor: path, byteCount: layout.byteCount, session: session
    ) { header in
      header.storeLittleEndian(UInt32(format.channelCount), at: Header.channelCount)
      header.storeLittleEndian(format.sampleRate.bitPattern, at: Header.sampleRate)
      header.storeLittleEndian(UInt32(AudioRingFormat.bitsPerSample), at: Header.bitsPerSample)
      header.storeLittleEndian(UInt32(format.isBigEndian ? 1 : 0), at: Header.isBigEndian)
      header.storeLittleEndian(UInt64(layout.capacity), at: Header.capacity)
      header.storeLittleEndian(UInt64(layout.byteCount), at: Header.fileSize)
      header.storeLittleEndian(firstFrame, at: Header.firstFrame)
      header.storeLittleEndian(firstPacket, at: Header.firstPacket)
    }
    self.init(ring, layout)
    reserved.storeRelaxed(firstFrame)
    packets.storeRelaxed(firstPacket)
  }

  /// Maps the file at `path` for reading. Every number in its header is validated before it is used.
  init(at path: String) throws(FileError) {
    let ring = try RingFile(AudioRingLayout.self, at: path)
    guard let layout = AudioRingLayout(of: ring) else { throw FileError(.damaged, path) }
    self.init(ring, layout)
    guard max(firstFrame, firstPacket) < AudioRingLayout.countLimit else { throw FileError(.damaged, path) }
    try ring.populate()
  }

  private init(_ ring: RingFile, _ layout: AudioRingLayout) {
    self.ring = ring
    self.layout = layout
    firstFrame = ring[Header.firstFrame]
    firstPacket = ring[Header.firstPacket]
    reserved = SharedAtomic(at: Header.reserved, of: ring.file)
    packets = SharedAtomic(at: Header.packets, of: ring.file)
    sequences = SharedAtomicRow(
      at: AudioRingLayout.packetsOffset + AudioRingLayout.Packet.sequence,
      stride: AudioRingLayout.Packet.byteCount, count: AudioRingLayout.Packet.count, of: ring.file)
  }
}
