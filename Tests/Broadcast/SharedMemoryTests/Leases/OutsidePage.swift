@testable import SharedMemory

/// The readers' page of a ring, changed by a process that is not a registered reader.
final class OutsidePage {
  private let file: MappedFile
  /// The words; not for longer than this object.
  private let page: ReadersPage

  init(of path: String, slotCount: Int = 3) throws {
    let start = RingLayout.Readers.page
    file = try MappedFile(sharingPath: path).sharing(start..<(start + RingLayout.Readers.byteCount))
    page = ReadersPage(of: file, at: 0, slotCount: slotCount)
  }

  /// The bits of all readers that lease or wait, and those that are no reader's.
  var waiting: UInt64 { page.waiting.loadSequentiallyConsistent() }
  var activeReaders: UInt64 { page.activeReaders }

  func setWaiting(_ bits: UInt64) { page.waiting.setBitsSequentiallyConsistent(bits) }
  func setHolders(of slot: Int, to bits: UInt64) { page.holders[slot].storeReleasing(bits) }
}
