/// Where everything lies in an audio ring: the table of `Docs/FileFormat.md` as code. Numbers are little-endian.
package struct AudioRingLayout: Equatable, Sendable {
  /// "BCASTAUD" read as a little-endian word.
  package static let magic: UInt64 = 0x4455_4154_5341_4342
  package static let version: UInt32 = 1
  /// The capacities a reader takes, in frames; each a power of two.
  package static let capacities = 1 << 11...1 << 21
  /// Frames and packets are counted up to here, which at any rate takes longer than there have been computers.
  static let countLimit: UInt64 = 1 << 56

  /// Offsets in the file's first page. Words that change while sound flows have a cache line of their own.
  package enum Header {
    package static let magic = 0
    package static let version = 8
    package static let channelCount = 12
    package static let sampleRate = 16
    package static let bitsPerSample = 24
    /// 1 when the samples are big-endian, else 0.
    package static let isBigEndian = 28
    package static let capacity = 32
    package static let fileSize = 40
    package static let session = 48
    package static let startTime = 56
    package static let processID = 64
    /// The frames and packets of the session that went into earlier files.
    package static let firstFrame = 72
    package static let firstPacket = 80
    /// Bytes of the header that never change.
    static let constantByteCount = 88
    /// Frames of the session up to which the writer may be overwriting older ones.
    package static let reserved = 128
    /// Frames of the session that are there to be read, but for those overwritten.
    package static let written = 192
    /// Packets of the session that are there to be read, but for those overwritten.
    package static let packets = 200
    /// The state of the session: a ``RingState`` as a number.
    package static let state = 256
    package static let packetsDropped = 264
    package static let byteCount = 4096
  }

  /// Offsets in an entry of the packet table.
  package enum Packet {
    /// 2*n* + 1 while packet *n* is being entered, 2*n* + 2 when it is.
    package static let sequence = 0
    package static let firstFrame = 8
    package static let frameCount = 16
    /// The pauses of the session that were over when the packet came.
    package static let pauses = 20
    package static let captureTime = 24
    package static let byteCount = 32
    /// The entries in the table.
    package static let count = 512
  }

  /// Where the packet table begins.
  package static let packetsOffset = Header.byteCount
  /// Where the samples begin.
  package static let samplesOffset = packetsOffset + Packet.count * Packet.byteCount

  /// The frames there is room for.
  let capacity: Int
  let bytesPerFrame: Int

  /// A layout with room for at least two seconds.
  init(_ format: AudioRingFormat) {
    var capacity = Self.capacities.lowerBound
    while Double(capacity) < 2 * format.sampleRate { capacity *= 2 }
    self.capacity = capacity
    bytesPerFrame = format.bytesPerFrame
  }

  /// A layout as a file states it; `nil` when its numbers cannot be true. A file longer than it says is refused too.
  init?(_ format: AudioRingFormat, capacity: UInt64, fileSize: UInt64, actualSize: Int) {
    guard let capacity = Int(exactly: capacity), Self.capacities.contains(capacity),
      capacity.nonzeroBitCount == 1
    else { return nil }
    self.capacity = capacity
    bytesPerFrame = format.bytesPerFrame
    guard fileSize == UInt64(byteCount), actualSize == byteCount else { return nil }
  }

  package var byteCount: Int { Self.byteCount(capacity: capacity, bytesPerFrame: bytesPerFrame) }

  /// The bytes of a file with room for `capacity` frames.
  package static func byteCount(capacity: Int, bytesPerFrame: Int) -> Int {
    samplesOffset + capacity * bytesPerFrame
  }

  /// The most frames a packet may have; the writer divides larger ones.
  var packetCapacity: Int { capacity / 4 }

  /// Where the entry of a packet lies.
  package static func packetOffset(_ packet: UInt64) -> Int {
    packetsOffset + Int(packet % UInt64(Packet.count)) * Packet.byteCount
  }

  /// Where frames lie, in the file: all of them in a row, or those at the end and those at the beginning of the ring.
  func places(of frames: Range<UInt64>) -> [Range<Int>] {
    precondition(frames.count <= capacity, "there is no room for so many frames")
    let start = Int(frames.lowerBound % UInt64(capacity))
    let end = start + frames.count
    let rows = end <= capacity ? [start..<end] : [start..<capacity, 0..<(end - capacity)]
    return rows.map { row in
      (Self.samplesOffset + row.lowerBound * bytesPerFrame)..<(Self.samplesOffset + row.upperBound
        * bytesPerFrame)
    }
  }

  /// The counter of an entry into which packet `number` is being written, and in which it is complete.
  static func writing(_ number: UInt64) -> UInt64 { number &* 2 &+ 1 }
  package static func complete(_ number: UInt64) -> UInt64 { number &* 2 &+ 2 }
}
