import Platform

/// The layout of a frame ring file: the tables of `Docs/Internals/FileFormat.md` as code. Numbers are little-endian.
package struct RingLayout: Equatable, Sendable {
  /// "BCASTRNG" read as a little-endian word.
  package static let magic: UInt64 = 0x474E_5254_5341_4342
  package static let version: UInt32 = 5
  package static let slotCounts = 2...8
  /// The maximum payload of a slot: an 8192 × 8192 frame with room to spare.
  package static let maximumPayload = 256 << 20

  /// Offsets in the file. `latest` and the counter of each slot have separate cache lines.
  package enum Header {
    package static let magic = 0  // UInt64
    package static let version = 8  // UInt32
    package static let slotCount = 12  // UInt32, 2…8
    package static let slotStride = 16  // UInt64, bytes, a multiple of slotAlignment
    package static let slotsOffset = 24  // UInt64, bytes
    package static let fileSize = 32  // UInt64, bytes
    package static let session = 40  // UInt64, random
    package static let startTime = 48  // UInt64, monotonic nanoseconds
    package static let processID = 56  // Int32
    /// UInt64: the newest complete frame as number << 8 | slot; 0 before the first frame. Bit 7 means that no frame follows in
    /// this file.
    package static let latest = 64
    package static let state = 128  // UInt64, a RingState
    package static let framesProduced = 136  // UInt64
    package static let framesDropped = 144  // UInt64
    /// Int64: the code of the error that ended the session; valid once the state is finished.
    package static let errorCode = 152
    /// UInt64 per slot: the sequence counter of the slot, each on a separate cache line.
    package static let sequences = 192
    package static let sequenceStride = 64
    package static let errorDomain = 1024  // UInt16 length, UTF-8
    package static let errorDomainCapacity = 128
    package static let errorText = 1152  // UInt16 length, UTF-8
    package static let errorTextCapacity = 512
    package static let byteCount = 4096
  }

  package static let slotsOffset = Header.byteCount
  /// The alignment of slots, in bytes. A slot stride is a multiple of it.
  package static let slotAlignment = 4096
  /// The valid slot strides, in bytes.
  package static let slotStrides = slotAlignment...(maximumPayload + slotAlignment)

  package enum Slot {
    package static let frameNumber = 0  // UInt64, from 1
    package static let captureTime = 8  // UInt64, monotonic nanoseconds
    package static let publishTime = 16  // UInt64, monotonic nanoseconds
    package static let orientation = 24  // UInt32, 1…8
    package static let payloadSize = 32  // UInt64, bytes
    package static let payload = 64
  }

  let slotCount: Int
  let slotStride: Int

  init(slotCount: Int, payloadCapacity: Int) {
    precondition(Self.slotCounts.contains(slotCount) && (1...Self.maximumPayload).contains(payloadCapacity))
    self.slotCount = slotCount
    let alignment = Self.slotAlignment
    slotStride = (Slot.payload + payloadCapacity + alignment - 1) / alignment * alignment
  }

  /// Reads the layout from a file's header; `nil` if its numbers contradict each other. A file that is longer than its header
  /// says is rejected too, because populating its pages could fill the memory.
  init?(of ring: RingFile) {
    let (slotCount, slotStride): (UInt32, UInt64) = (ring[Header.slotCount], ring[Header.slotStride])
    self.slotCount = Int(slotCount)
    self.slotStride = Int(clamping: slotStride)
    guard Self.slotCounts.contains(self.slotCount), Self.slotStrides.contains(self.slotStride),
      self.slotStride % Self.slotAlignment == 0, ring[Header.slotsOffset] == UInt64(Self.slotsOffset),
      ring[Header.fileSize] == UInt64(byteCount), ring.file.byteCount == byteCount
    else { return nil }
  }

  var byteCount: Int { Self.byteCount(slotCount: slotCount, slotStride: slotStride) }

  /// Returns the size of a file including its end mark, in bytes.
  package static func byteCount(slotCount: Int, slotStride: Int) -> Int {
    slotsOffset + slotCount * slotStride + RingFile.endMarkByteCount
  }

  /// The maximum payload of a frame, in bytes.
  var payloadCapacity: Int { slotStride &- Slot.payload }

  /// Returns the offset of a slot. It cannot overflow: there are at most eight slots of 256 MiB and a few pages.
  func slotOffset(_ slot: Int) -> Int { Self.slotsOffset &+ slot &* slotStride }

  /// Returns the counter of a slot (or an audio entry) while frame (or packet) `number` is being written.
  static func writing(_ number: UInt64) -> UInt64 { number &* 2 &+ 1 }
  /// Returns the counter of a slot (or an audio entry) that holds the complete frame (or packet) `number`.
  package static func complete(_ number: UInt64) -> UInt64 { number &* 2 &+ 2 }

  static func pack(_ number: UInt64, slot: Int) -> UInt64 { number << 8 | UInt64(slot) }
  package static func unpack(_ word: UInt64) -> (number: UInt64, slot: Int) { (word >> 8, Int(word & 0x7F)) }
  /// The bit of `latest` that means that no frame follows in this file. Setting it changes the word that readers sleep on.
  package static let lastWord: UInt64 = 0x80
}

extension RingLayout: RingFileLayout {
  static let name = "a frame ring"
  static let constantByteCount = Header.latest
  static let session = Header.session
  static let state = Header.state
  static let dropped = Header.framesDropped
}

/// The number, times and orientation of a frame.
public struct FrameStamp: Equatable, Sendable {
  /// The number of the frame in its session, counted from 1 without gaps.
  public var number: UInt64
  /// The capture time of the frame.
  public var captureTime: MonotonicTime
  /// The publish time of the frame.
  public var publishTime: MonotonicTime
  /// The rotation or mirroring that shows the frame upright: a `CGImagePropertyOrientation` (1…8).
  public var orientation: UInt32
}
