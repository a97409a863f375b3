/// The layout of an audio ring file: the tables of `Docs/Internals/FileFormat.md` as code. Numbers are little-endian.
package struct AudioRingLayout: Equatable, Sendable {
  /// "BCASTAUD" read as a little-endian word.
  package static let magic: UInt64 = 0x4455_4154_5341_4342
  package static let version: UInt32 = 3
  /// The valid capacities in frames; each is a power of two.
  package static let capacities = 1 << 11...1 << 21
  /// The limit of frame and packet numbers: about 6,000 years at 384 kHz.
  static let countLimit: UInt64 = 1 << 56

  /// Offsets in the file. `reserved` and `packets` have separate cache lines.
  package enum Header {
    package static let magic = 0  // UInt64
    package static let version = 8  // UInt32
    package static let channelCount = 12  // UInt32, 1…2
    package static let sampleRate = 16  // Float64, frames per second
    package static let bitsPerSample = 24  // UInt32, 16
    package static let isBigEndian = 28  // UInt32, 0 or 1
    package static let capacity = 32  // UInt64, frames, a power of two
    package static let fileSize = 40  // UInt64, bytes
    package static let session = 48  // UInt64, random
    package static let startTime = 56  // UInt64, monotonic nanoseconds
    package static let processID = 64  // Int32
    package static let firstFrame = 72  // UInt64, the frames of the session in earlier files
    package static let firstPacket = 80  // UInt64, the packets of the session in earlier files
    /// The size of the constant bytes at the start of the header.
    static let constantByteCount = 88
    /// UInt64: the end of the frames reserved for writing. Frames more than a capacity before it may be overwritten.
    package static let reserved = 128
    package static let packets = 192  // UInt64, complete packets of the session
    package static let state = 256  // UInt64, a RingState
    package static let packetsDropped = 264  // UInt64
    package static let byteCount = 4096
  }

  package enum Packet {
    /// UInt64: 2n + 1 while packet n is being written, 2n + 2 once it is complete.
    package static let sequence = 0
    package static let firstFrame = 8  // UInt64
    package static let frameCount = 16  // UInt32
    package static let pauses = 20  // UInt32, the pauses of the session before the packet
    package static let captureTime = 24  // UInt64, monotonic nanoseconds
    package static let byteCount = 32
    /// The number of entries in the table.
    package static let count = 512
  }

  package static let packetsOffset = Header.byteCount
  package static let samplesOffset = packetsOffset + Packet.count * Packet.byteCount

  let format: AudioRingFormat
  let capacity: Int

  /// Creates a layout for at least two seconds of audio.
  init(_ format: AudioRingFormat) {
    var capacity = Self.capacities.lowerBound
    while Double(capacity) < 2 * format.sampleRate { capacity *= 2 }
    self.format = format
    self.capacity = capacity
  }

  /// Reads the layout from a file's header; `nil` if a value is out of range, or if the numbers contradict each other or the size
  /// of the file.
  init?(of ring: RingFile) {
    let (bits, flag): (UInt32, UInt32) = (ring[Header.bitsPerSample], ring[Header.isBigEndian])
    let (channelCount, capacity): (UInt32, UInt64) = (ring[Header.channelCount], ring[Header.capacity])
    guard bits == UInt32(AudioRingFormat.bitsPerSample), flag <= 1,
      let format = AudioRingFormat(
        sampleRate: Double(bitPattern: ring[Header.sampleRate]), channelCount: Int(channelCount),
        isBigEndian: flag == 1)
    else { return nil }
    self.format = format
    self.capacity = Int(clamping: capacity)
    guard Self.capacities.contains(self.capacity), capacity.nonzeroBitCount == 1,
      ring[Header.fileSize] == UInt64(byteCount), ring.file.byteCount == byteCount
    else { return nil }
  }

  package var byteCount: Int { Self.byteCount(capacity: capacity, bytesPerFrame: format.bytesPerFrame) }

  /// Returns the size of a file for `capacity` frames, including its end mark, in bytes.
  package static func byteCount(capacity: Int, bytesPerFrame: Int) -> Int {
    samplesOffset + capacity * bytesPerFrame + RingFile.endMarkByteCount
  }

  /// The maximum number of frames in a packet. The writer splits larger packets.
  var packetCapacity: Int { capacity / 4 }

  package static func packetOffset(_ packet: UInt64) -> Int {
    packetsOffset + Int(packet % UInt64(Packet.count)) * Packet.byteCount
  }

  /// Returns the byte ranges of frames in the file: two if the frames wrap around the end of the ring, otherwise one.
  func places(of frames: Range<UInt64>) -> [Range<Int>] {
    precondition(frames.count <= capacity, "more frames than the ring holds")
    let start = Int(frames.lowerBound % UInt64(capacity))
    let end = start + frames.count
    let rows = end <= capacity ? [start..<end] : [start..<capacity, 0..<(end - capacity)]
    return rows.map { row in
      (Self.samplesOffset + row.lowerBound * format.bytesPerFrame)..<(Self.samplesOffset + row.upperBound
        * format.bytesPerFrame)
    }
  }
}

extension AudioRingLayout: RingFileLayout {
  static let name = "an audio ring"
  static let constantByteCount = Header.constantByteCount
  static let session = Header.session
  static let state = Header.state
  static let dropped = Header.packetsDropped
}
