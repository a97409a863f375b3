import Foundation
import TestSupport
import Testing

@testable import Platform
@testable import SharedMemory

/// Rings cut short by an outsider while they are mapped.
@Suite struct FrameRingReaderTruncationTests {
  private static let capacity = 8000  // Two pages and a bit with the slot's header: three pages a slot.

  @Test(arguments: [0, 1, 64, 4096, 4096 + 100, 4096 + 8192, 4096 + 2 * 8192 + 4096])
  func aReaderSurvivesAndSaysThatBytesAreLost(byteCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path, capacity: Self.capacity)
    let reader = try FrameRingReader(path: path)
    for byte in 1...5 as ClosedRange<UInt8> { try writer.publish(repeating: byte, byteCount: Self.capacity) }
    // The newest frame, number 5, is in the last slot.
    setSize(of: path, to: byteCount)
    #expect(throws: RingError.lost(path: path)) { try reader.nextFrame() }
    #expect(throws: RingError.lost(path: path)) { try reader.nextFrame() }
    #expect(reader.state == nil)
    #expect(reader.sessionError == nil)

    let next = try FrameRingWriter(at: path, capacity: Self.capacity)
    try next.publish(repeating: 7)
    let reopened = try FrameRingReader(path: path)
    #expect(reopened.session == next.session)
    #expect(try reopened.nextFrame()?.bytes[0] == 7)
  }

  /// With 72 bytes the state is gone too, which shows the loss; more bytes of the first page look like damage.
  @Test(arguments: [72, 136, 200])
  func aHeaderOfWhichSomeWordsAreLeftIsRefused(byteCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path)
    let reader = try FrameRingReader(path: path)
    try writer.publish(repeating: 1)
    setSize(of: path, to: byteCount)
    let expected: RingError = byteCount > RingLayout.Header.state ? .damaged(path: path) : .lost(path: path)
    #expect(throws: expected) { try reader.nextFrame() }
  }

  @Test func aReaderThatHasReadEverythingSaysSoToo() throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path)
    let reader = try FrameRingReader(path: path)
    try writer.publish(repeating: 1)
    #expect(try reader.nextFrame() != nil)
    setSize(of: path, to: 0)
    #expect(throws: RingError.lost(path: path)) { try reader.nextFrame() }
  }

  @Test func theBytesMayGoWhileAFrameIsRead() throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path, capacity: Self.capacity)
    let reader = try FrameRingReader(path: path)
    try writer.publish(repeating: 9, byteCount: Self.capacity)
    var sums: [Int] = []
    do {
      _ = try reader.next { _, payload in
        setSize(of: path, to: 4096)
        sums.append(Int(payload[0]) + Int(payload[payload.count - 1]))
      }
      Issue.record("nothing was thrown")
    } catch {
      guard case .ring(.lost(path)) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(sums == [0])
  }

  /// Writer and reader go on together, wherever the file was cut.
  @Test func whereverTheFileIsCutTheReaderFindsTheWritersNextFile() throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let layout = RingLayout(slotCount: 3, payloadCapacity: Self.capacity)
    for end in stride(from: 0, to: layout.byteCount, by: 1024) {
      let writer = try FrameRingWriter(at: path, capacity: Self.capacity)
      let reader = try FrameRingReader(path: path)
      try writer.publish(repeating: 1, byteCount: Self.capacity)
      _ = try reader.nextFrame()
      setSize(of: path, to: end)
      var found: Frame?
      // A slot before the cut shows nothing; by then all slots have been used.
      for byte in 2...8 as ClosedRange<UInt8> where found == nil {
        try writer.publish(repeating: byte, byteCount: Self.capacity)
        do throws(RingError) { _ = try reader.nextFrame() } catch {
          #expect([.lost(path: path), .damaged(path: path)].contains(error), "\(end) bytes")
        }
        if try !reader.isCurrent() { found = try FrameRingReader(path: path).nextFrame() }
      }
      // A cut within the last page removes no page, and readers continue with the file.
      if end > layout.byteCount - System.pageSize { continue }
      let frame = try #require(found, "\(end) bytes")
      #expect(frame.bytes.isUniform && frame.bytes.count == Self.capacity)
      #expect(frame.stamp.number == writer.framesPublished)
    }
  }

  /// The loss shows in the bytes and in the size of the file, and only one of them may replace it.
  @Test func aFileCutShortIsReplacedOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let clock = TestClock()
    let writer = try FrameRingWriter(at: path, capacity: Self.capacity)
    setSize(of: path, to: 5000)
    clock.advance(by: .milliseconds(501))
    try writer.publish(repeating: 1, byteCount: Self.capacity, clock: clock)
    try writer.publish(repeating: 2, byteCount: Self.capacity, clock: clock)
    let reader = try FrameRingReader(path: path)
    try writer.publish(repeating: 3, byteCount: Self.capacity, clock: clock)
    #expect(try reader.isCurrent())
    #expect(try reader.nextFrame()?.bytes[0] == 3)
  }

  @Test func twoReadersOfOneFileAreBothTold() throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path)
    let readers = try (0..<2).map { _ in try FrameRingReader(path: path) }
    try writer.publish(repeating: 1)
    setSize(of: path, to: 4096)
    for reader in readers {
      #expect(throws: RingError.lost(path: path)) { try reader.nextFrame() }
    }
  }

  @Test func aBusErrorElsewhereStillEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let folder = try TemporaryFolder()
      // The handler is installed, and this fault does not concern it.
      let ring = try FrameRingWriter(at: folder("frames.ring"))
      try ring.publish(repeating: 1)
      try folder.remove()  // What ends this way cleans nothing up.
      raise(SIGBUS)
    }
  }
}
