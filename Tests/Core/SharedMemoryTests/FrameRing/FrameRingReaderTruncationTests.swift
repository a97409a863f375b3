import TestSupport

@testable import Platform
@testable import SharedMemory

/// Tests rings that another program truncates while they are mapped.
@Suite struct FrameRingReaderTruncationTests {
  private let folder = TemporaryFolder.ofSuite()

  private static let capacity = 8000  // Two pages of 4096 bytes with the slot's header.

  /// The truncated sizes: within the header and each slot, at their ends, and one byte less than the file.
  private static var cuts: [Int] {
    let layout = RingLayout(slotCount: 3, payloadCapacity: capacity)
    let slots = (0..<3).flatMap { slot in [0, 100, 4096, 8000].map { layout.slotOffset(slot) + $0 } }
    return [0, 1, 64, 72, 136, 200] + slots + [layout.byteCount - 1]
  }

  /// The new end may lie within a page that stays mapped, so all page sizes are tried.
  @Test(arguments: pageSizes, cuts)
  func aCutIsReportedAtOnceAndTheNextFrameIsInANewFile(pageSize: Int, byteCount: Int) throws {
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path, capacity: Self.capacity)
    let (reader, idleReader) = (try FrameRingReader(path: path), try FrameRingReader(path: path))
    // The newest frame, number 5, is in the last slot.
    for byte in 1...5 as ClosedRange<UInt8> { try writer.publish(repeating: byte, byteCount: Self.capacity) }
    #expect(try idleReader.nextFrame() != nil)
    try cut(path, to: byteCount, pageSize: pageSize)
    for reader in [reader, reader, idleReader] {
      #expect(throws: FileError(.cutShort, path)) { try reader.nextFrame() }
    }
    try writer.publish(repeating: 6, byteCount: Self.capacity)
    #expect(try !reader.isCurrent())
    let next = try FrameRingReader(path: path)
    #expect(next.session == writer.session)
    let frame = try #require(try next.nextFrame())
    #expect(frame.stamp.number == 6 && frame.bytes == [UInt8](repeating: 6, count: Self.capacity))
  }

  @Test(arguments: pageSizes) func theBytesMayGoWhileAFrameIsRead(pageSize: Int) throws {
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path, capacity: Self.capacity)
    let reader = try FrameRingReader(path: path)
    try writer.publish(repeating: 9, byteCount: Self.capacity)
    var sums: [Int] = []
    #expect(throws: FileError(.cutShort, path)) {
      let result = try reader.next { _, payload in
        Result {
          try cut(path, to: 4096, pageSize: pageSize)
          sums.append(Int(payload[0]) + Int(payload[payload.count - 1]))
        }
      }
      try result?.get()
    }
    #expect(sums == [0])
  }

  /// A file that is truncated during a write shows it twice: by its end mark, and by its size at the path.
  @Test func aTruncatedFileIsReplacedOnce() throws {
    let path = folder("frames.ring")
    let clock = TestClock()
    let writer = try FrameRingWriter(at: path, capacity: Self.capacity)
    clock.advance(by: .milliseconds(501))
    try writer.publish(byteCount: Self.capacity, captureTime: 1, orientation: 1, clock: clock) { _ in
      setSize(of: path, to: 5000)
    }
    try writer.publish(repeating: 2, byteCount: Self.capacity, clock: clock)
    let reader = try FrameRingReader(path: path)
    try writer.publish(repeating: 3, byteCount: Self.capacity, clock: clock)
    #expect(try (reader.isCurrent(), reader.nextFrame()?.bytes[0]) == (true, 3))
  }

  @Test func aBusErrorElsewhereStillEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let folder = try TemporaryFolder()
      // The ring installs the handler, and the signal below is not a fault of its mapping.
      let ring = try FrameRingWriter(at: folder("frames.ring"))
      try ring.publish(repeating: 1)
      try folder.remove()  // A process that ends this way does not clean up.
      raise(SIGBUS)
    }
  }
}
