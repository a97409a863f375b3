import Foundation
import TestSupport
import Testing

@testable import Platform
@testable import SharedMemory

/// Frames held in place: the writer goes round them, and takes back what it must.
@Suite(.busyMachine) struct FrameLeaseTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder("frames.ring")
  }

  /// A ring of `slots`, a registered reader, and frame 1 published after the writer saw it.
  private func makePair(slots: Int = 4) throws -> (FrameRingWriter, FrameRingReader) {
    let writer = try FrameRingWriter(path: path, slotCount: slots, payloadCapacity: 1000, startTime: 0)
    let reader = try FrameRingReader(path: path, registers: true)
    try writer.publish(repeating: 1, at: 1)
    return (writer, reader)
  }

  @Test func aLeasedFrameStaysWhileTheWriterContinues() throws {
    let (writer, reader) = try makePair()
    let lease = try #require(try reader.lease())
    for byte in 2...50 as ClosedRange<UInt8> { try writer.publish(repeating: byte, at: UInt64(byte)) }
    #expect(lease.stamp.number == 1)
    #expect(lease.withPayload { $0.bytes } == [UInt8](repeating: 1, count: 100))
    #expect(lease.isIntact)
    #expect(lease.end())
    #expect(writer.leasesReclaimed == 0 && writer.framesPublished == 50)
  }

  /// The control of the test above: the same frame read in place without a lease is gone.
  @Test func withoutALeaseTheSlotIsWrittenAgain() throws {
    let (writer, reader) = try makePair()
    let slot = try #require(try reader.lease())
    slot.end()
    for byte in 2...50 as ClosedRange<UInt8> { try writer.publish(repeating: byte, at: UInt64(byte)) }
    #expect(!slot.isIntact)
  }

  @Test func allSlotsButTwoCanBeLeased() throws {
    for slots in 2...8 {
      let (writer, reader) = try makePair(slots: slots)
      var leases: [FrameLease] = []
      for byte in 2...20 as ClosedRange<UInt8> {
        if let lease = try reader.lease() { leases.append(lease) }
        try writer.publish(repeating: byte, at: UInt64(byte))
      }
      #expect(leases.count == slots - 2)
      #expect(leases.allSatisfy { $0.isIntact })
      #expect(writer.framesPublished == 20)
      // The frames that could not be leased can be read.
      #expect(try reader.nextFrame()?.stamp.number == 20)
      leases.removeLast(leases.isEmpty ? 0 : 1)
      try writer.publish(repeating: 21, at: 21)
      #expect(try (reader.lease() != nil) == (slots > 2))
    }
  }

  @Test func aLeaseEndsWithItsLastReference() throws {
    let (writer, reader) = try makePair(slots: 3)
    for byte in 2...20 as ClosedRange<UInt8> {
      #expect(try reader.lease()?.stamp.number == UInt64(byte) - 1)
      try writer.publish(repeating: byte, at: UInt64(byte))
    }
  }

  @Test func aFrameTwoReadersLeaseIsHeldUntilBothHaveEnded() throws {
    let (writer, reader) = try makePair()
    let other = try FrameRingReader(path: path, registers: true)
    let first = try #require(try reader.lease())
    let second = try #require(try other.lease())
    first.end()
    for byte in 2...20 as ClosedRange<UInt8> { try writer.publish(repeating: byte, at: UInt64(byte)) }
    #expect(second.end())
  }

  @Test func aLeaseHeldTooLongIsReclaimedAndReported() throws {
    let writer = try FrameRingWriter(
      path: path, slotCount: 4, payloadCapacity: 1000, leaseLimit: .microseconds(1), startTime: 0)
    let reader = try FrameRingReader(path: path, registers: true)
    try writer.publish(repeating: 1, at: 1)
    let lease = try #require(try reader.lease())
    // The lease limit counts from the publication of a newer frame: a still screen reclaims no lease.
    for (byte, time) in [(2, 5000), (3, 5500), (4, 6000)] as [(UInt8, UInt64)] {
      try writer.publish(repeating: byte, at: time)
    }
    #expect(lease.isIntact)
    for time in 6001...6010 as ClosedRange<UInt64> { try writer.publish(repeating: 5, at: time) }
    #expect(!lease.isIntact)
    #expect(!lease.end())
    #expect(writer.leasesReclaimed == 1)
    // What ended late takes nothing from the next one.
    let next = try #require(try reader.lease())
    lease.end()
    for time in 6011...6020 as ClosedRange<UInt64> { try writer.publish(repeating: 6, at: time) }
    #expect(next.end())
  }

  @Test func aLeaseReclaimedWhileItIsTakenIsNoDamage() throws {
    let background = BackgroundWriter(path: path, slotCount: 4, byteCount: 8, leaseLimit: .zero)
    defer { background.stop() }
    #expect(holds { (try? FrameRingReader(path: path)) != nil })
    let reader = try FrameRingReader(path: path, registers: true)
    var leases = 0
    // On a single processor reader and writer alternate, at a lease for each turn.
    let needed = ProcessInfo.processInfo.activeProcessorCount > 1 ? 10_000 : 500
    let came = try holds(within: .seconds(60)) {
      for _ in 0..<1000 { if try reader.lease() != nil { leases += 1 } }
      return leases >= needed
    }
    #expect(came, "only \(leases) leases")
  }

  @Test func twoReadersThatTakeMoreThanThereIsNeverStopTheWriter() throws {
    let (writer, reader) = try makePair(slots: 3)
    let others = try (0..<4).map { _ in try FrameRingReader(path: path, registers: true) }
    let first = try #require(try reader.lease())
    // Behind the back of the check that leaves room: what a race between two readers, or a false one, does.
    let page = try OutsidePage(of: path)
    for byte in 2...200 as ClosedRange<UInt8> {
      for slot in 0..<3 { page.setHolders(of: slot, to: .max) }
      try writer.publish(repeating: byte, at: UInt64(byte))
    }
    #expect(writer.framesPublished == 200)
    #expect(!first.end())
    #expect(writer.leasesReclaimed > 0)
    #expect(try others[0].nextFrame()?.stamp.number == 200)
  }

  @Test func theSlotsOfAnExitedReaderAreReclaimed() throws {
    let (writer, reader) = try makePair(slots: 3)
    let lease = try #require(try reader.lease())
    // A reader that died leaves its bits; its lock went with it.
    let page = try OutsidePage(of: path)
    page.setHolders(of: 2, to: ReadersPage.bit(9))
    page.setWaiting(ReadersPage.bit(9))
    for byte in 2...20 as ClosedRange<UInt8> { try writer.publish(repeating: byte, at: UInt64(byte)) }
    #expect(page.activeReaders & ReadersPage.bit(9) == 0)
    // The lease of the live reader remains; only the slot of the crashed one was reclaimed.
    #expect(lease.end())
    #expect(writer.leasesReclaimed == 0)
  }

  @Test func aReaderWithoutRegistrationNeitherWritesNorIsHonoured() throws {
    let writer = try FrameRingWriter(at: path)
    let reader = try FrameRingReader(path: path)
    for byte in 1...5 as ClosedRange<UInt8> {
      try writer.publish(repeating: byte)
      #expect(try reader.nextFrame() != nil)
    }
    let page = try PlainFile.read(path, limit: RingLayout.slotsOffset)[
      RingLayout.Readers.page..<RingLayout.slotsOffset]
    #expect(page.allSatisfy { $0 == 0 })
  }

  @Test func beforeTheWriterHasSeenAReaderNothingCanBeLeased() throws {
    let writer = try FrameRingWriter(at: path)
    try writer.publish(repeating: 1)
    let reader = try FrameRingReader(path: path, registers: true)
    #expect(try reader.lease() == nil)
    #expect(try reader.nextFrame()?.stamp.number == 1)
    try writer.publish(repeating: 2)
    #expect(try reader.lease()?.stamp.number == 2)
  }

  @Test func theNumberOfRegisteredReadersIsLimited() throws {
    let writer = try FrameRingWriter(at: path)
    var readers = try (0..<RingLayout.Readers.capacity).map { _ in
      try FrameRingReader(path: path, registers: true)
    }
    #expect(throws: RingError.tooManyReaders(path: path)) { try FrameRingReader(path: path, registers: true) }
    readers.removeLast()
    readers.append(try FrameRingReader(path: path, registers: true))
    try writer.publish(repeating: 1)
    #expect(try readers.allSatisfy { try $0.nextFrame() != nil })
    #expect(try FrameRingReader(path: path).nextFrame() != nil)
  }

  @Test func aLeaseOutlivesItsReaderAndItsWriterAndTheMoveToALargerFile() throws {
    var lease: FrameLease?
    do {
      let (writer, reader) = try makePair()
      lease = try reader.lease()
      try writer.publish(repeating: 2, byteCount: 10_000, at: 2)
      for byte in 3...20 as ClosedRange<UInt8> { try writer.publish(repeating: byte, at: UInt64(byte)) }
      try writer.finish()
    }
    #expect(lease?.withPayload { $0.bytes } == [UInt8](repeating: 1, count: 100))
    #expect(lease?.end() == true)
  }

  @Test func aLeaseOnATruncatedFileIsNotIntact() throws {
    let (writer, reader) = try makePair()
    let lease = try #require(try reader.lease())
    setSize(of: path, to: 0)
    #expect(lease.withPayload { $0[0] } == 0)
    #expect(!lease.end())
    withExtendedLifetime(writer) {}
  }
}

extension FrameRingWriter {
  /// Publishes a frame of `byteCount` times the same byte at a certain time.
  fileprivate func publish(repeating byte: UInt8, byteCount: Int = 100, at nanoseconds: UInt64) throws {
    try publish(
      byteCount: byteCount, captureTime: .zero, orientation: 1,
      clock: TestClock(at: MonotonicTime(nanoseconds: nanoseconds))
    ) { slot in
      for index in slot.indices { slot[index] = byte }
    }
  }
}
