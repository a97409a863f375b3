/// Where everything lies in a ring file: the table of `Docs/FileFormat.md` as code. Numbers are little-endian.
struct RingLayout: Equatable, Sendable {
  /// "BCASTRNG" read as a little-endian word.
  static let magic: UInt64 = 0x474E_5254_5341_4342
  static let version: UInt32 = 2
  static let slotCounts = 2...8
  /// The largest payload a slot may be made for: an 8192 × 8192 frame with room to spare.
  static let maximumPayload = 256 << 20

  /// Offsets in the file's first page. Words that change while frames flow have a cache line of their own.
  enum Header {
    static let magic = 0
    static let version = 8
    static let slotCount = 12
    static let slotStride = 16
    static let slotsOffset = 24
    static let fileSize = 32
    static let session = 40
    static let startTime = 48
    static let processID = 56
    /// The newest complete frame: frame number << 8 | slot; 0 when there is none yet. Bit 7 says that no frame
    /// will follow in this file.
    static let latest = 64
    /// The state of the session: a ``RingState`` as a number.
    static let state = 128
    static let framesProduced = 136
    static let framesDropped = 144
    /// The error a finished session ended with; valid once the state says finished.
    static let errorCode = 152
    /// 1 once the writer looks at the readers' page; before, nobody may lease and wakes are not sent.
    static let honoured = 160
    /// Leases taken back from readers that died or held them for too long.
    static let leasesTakenBack = 168
    static let errorDomain = 1024
    static let errorDomainCapacity = 128
    static let errorText = 1152
    static let errorTextCapacity = 512
    /// The sequence counter of slot 0; each next one is a cache line further.
    static let sequences = 192
    static let sequenceStride = 64
    static let byteCount = 4096
  }

  /// Where the slots begin.
  static let slotsOffset = Readers.page + Readers.byteCount

  /// Offsets in the file's second page, the only one readers write, and only those that lease or wait.
  enum Readers {
    /// Where the page begins in the file.
    static let page = 4096
    static let byteCount = 4096
    /// 0; 1 for ever once a reader has registered.
    static let registered = 0
    /// A bit for each reader that sleeps until the next frame, or is about to.
    static let waiting = 64
    /// A word for each slot, on one cache line: a bit for each reader that leases it.
    static let holders = 128
    static let holderStride = 8
    /// The bit of a slot's word that says the writer is in it.
    static let writer: UInt64 = 1 << 63
    /// How many readers may be registered at a time.
    static let capacity = 32

    /// The byte of the file that reader `index` keeps locked for as long as it lives.
    static func lockOffset(_ index: Int) -> Int { page + index }
  }

  /// Offsets in a slot.
  enum Slot {
    static let frameNumber = 0
    static let captureTime = 8
    static let publishTime = 16
    static let orientation = 24
    static let payloadSize = 32
    static let payload = 64
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
  static func complete(_ number: UInt64) -> UInt64 { number &* 2 &+ 2 }

  static func pack(_ number: UInt64, slot: Int) -> UInt64 { number << 8 | UInt64(slot) }
  static func unpack(_ word: UInt64) -> (number: UInt64, slot: Int) { (word >> 8, Int(word & 0x7F)) }
  /// The bit of `latest` that says that no frame will follow in this file: a word to sleep on must change with that.
  static let lastWord: UInt64 = 0x80
}
