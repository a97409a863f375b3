/// Where everything lies in a ring file: the table of `Docs/FileFormat.md` as code. Numbers are little-endian.
package struct RingLayout: Equatable, Sendable {
  /// "BCASTRNG" read as a little-endian word.
  package static let magic: UInt64 = 0x474E_5254_5341_4342
  package static let version: UInt32 = 2
  package static let slotCounts = 2...8
  /// The largest payload a slot may be made for: an 8192 × 8192 frame with room to spare.
  package static let maximumPayload = 256 << 20

  /// Offsets in the file's first page. Words that change while frames flow have a cache line of their own.
  package enum Header {
    package static let magic = 0
    package static let version = 8
    package static let slotCount = 12
    package static let slotStride = 16
    package static let slotsOffset = 24
    package static let fileSize = 32
    package static let session = 40
    package static let startTime = 48
    package static let processID = 56
    /// The newest complete frame: frame number << 8 | slot; 0 when there is none yet. Bit 7 says that no frame
    /// will follow in this file.
    package static let latest = 64
    /// The state of the session: a ``RingState`` as a number.
    package static let state = 128
    package static let framesProduced = 136
    package static let framesDropped = 144
    /// The error a finished session ended with; valid once the state says finished.
    package static let errorCode = 152
    /// 1 once the writer looks at the readers' page; before, nobody may lease and wakes are not sent.
    package static let honoured = 160
    /// Leases taken back from readers that died or held them for too long.
    package static let leasesTakenBack = 168
    package static let errorDomain = 1024
    package static let errorDomainCapacity = 128
    package static let errorText = 1152
    package static let errorTextCapacity = 512
    /// The sequence counter of slot 0; each next one is a cache line further.
    package static let sequences = 192
    package static let sequenceStride = 64
    package static let byteCount = 4096
  }

  /// Where the slots begin.
  package static let slotsOffset = Readers.page + Readers.byteCount

  /// Offsets in the file's second page, the only one readers write, and only those that lease or wait.
  package enum Readers {
    /// Where the page begins in the file.
    package static let page = 4096
    package static let byteCount = 4096
    /// 0; 1 for ever once a reader has registered.
    package static let registered = 0
    /// A bit for each reader that sleeps until the next frame, or is about to.
    package static let waiting = 64
    /// A word for each slot, on one cache line: a bit for each reader that leases it.
    package static let holders = 128
    package static let holderStride = 8
    /// The bit of a slot's word that says the writer is in it.
    package static let writer: UInt64 = 1 << 63
    /// How many readers may be registered at a time.
    package static let capacity = 32

    /// The byte of the file that reader `index` keeps locked for as long as it lives.
    static func lockOffset(_ index: Int) -> Int { page + index }
  }

  /// Offsets in a slot.
  package enum Slot {
    package static let frameNumber = 0
    package static let captureTime = 8
    package static let publishTime = 16
    package static let orientation = 24
    package static let payloadSize = 32
    package static let payload = 64
  }

  let slotCount: Int
  /// The bytes from one slot to the next; a multiple of the page size.
  let slotStride: Int

  init(slotCount: Int, payloadCapacity: Int) {
    precondition(Self.slotCounts.contains(slotCount) && (1...Self.maximumPayload).contains(payloadCapacity))
    self.slotCount = slotCount
    let page = 4096
    slotStride = (Slot.payload + payloadCapacity + page - 1) / page * page
  }

  /// A layout as a file states it; `nil` when its numbers cannot be true. A file longer than it says is refused
  /// too: nobody makes one, and to ask for its pages could fill the memory.
  init?(slotCount: UInt32, slotStride: UInt64, slotsOffset: UInt64, fileSize: UInt64, actualSize: Int) {
    guard let slotCount = Int(exactly: slotCount), Self.slotCounts.contains(slotCount),
      let slotStride = Int(exactly: slotStride), slotStride % 4096 == 0,
      (4096...(Self.maximumPayload + 8192)).contains(slotStride), slotsOffset == UInt64(Self.slotsOffset)
    else { return nil }
    self.slotCount = slotCount
    self.slotStride = slotStride
    guard fileSize == UInt64(byteCount), actualSize == byteCount else { return nil }
  }

  var byteCount: Int { Self.slotsOffset + slotCount * slotStride }
  /// The most bytes a frame's payload may have.
  var payloadCapacity: Int { slotStride - Slot.payload }

  func slotOffset(_ slot: Int) -> Int { Self.slotsOffset + slot * slotStride }
  func sequenceOffset(_ slot: Int) -> Int { Header.sequences + slot * Header.sequenceStride }

  /// The counters of the slots, in `file`, which must outlive them.
  func sequences(of file: MappedFile) -> SharedAtomicRow {
    SharedAtomicRow(at: Header.sequences, stride: Header.sequenceStride, count: slotCount, of: file)
  }

  /// The counter of a slot in which frame `number` is being written, and in which it is complete.
  static func writing(_ number: UInt64) -> UInt64 { number &* 2 &+ 1 }
  package static func complete(_ number: UInt64) -> UInt64 { number &* 2 &+ 2 }

  static func pack(_ number: UInt64, slot: Int) -> UInt64 { number << 8 | UInt64(slot) }
  package static func unpack(_ word: UInt64) -> (number: UInt64, slot: Int) { (word >> 8, Int(word & 0x7F)) }
  /// The bit of `latest` that says that no frame will follow in this file: a word to sleep on must change with that.
  package static let lastWord: UInt64 = 0x80
}
