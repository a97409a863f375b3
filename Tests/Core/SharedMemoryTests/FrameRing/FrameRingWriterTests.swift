import TestSupport

@testable import Platform
@testable import SharedMemory

@Suite struct FrameRingWriterTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("frames.ring") }

  @Test func aFrameLargerThanAnySlotIsRefusedAndTheRingContinues() throws {
    let writer = try FrameRingWriter(at: path)
    let tooLarge = RingLayout.maximumPayload + 1
    let reason = FileError.Reason.frameTooLarge(byteCount: tooLarge, limit: RingLayout.maximumPayload)
    #expect(throws: FileError(reason, path)) {
      try writer.publish(byteCount: tooLarge, captureTime: 0, orientation: 1) { _ in }
    }
    #expect(throws: FileError(reason, folder("other.ring"))) {
      try FrameRingWriter(at: folder("other.ring"), capacity: tooLarge)
    }
    try writer.publish(repeating: 1)
    #expect(try FrameRingReader(path: path).nextFrame()?.stamp.number == 1)
    #expect(folder.names == ["frames.ring"])
  }

  @Test func aFrameMayHaveNoBytesAndMayFillTheSlotExactly() throws {
    let writer = try FrameRingWriter(at: path, capacity: 4096 - RingLayout.Slot.payload)
    let reader = try FrameRingReader(path: path)
    try writer.publish(byteCount: 0, captureTime: 0, orientation: 1) { #expect($0.count == 0) }
    #expect(try reader.nextFrame()?.bytes == [])
    try writer.publish(repeating: 3, byteCount: 4096 - RingLayout.Slot.payload)
    #expect(try reader.nextFrame()?.bytes.count == 4096 - RingLayout.Slot.payload && reader.isCurrent())
  }

  @Test func neighbouringSlotsDoNotTouch() throws {
    let capacity = 4096 - RingLayout.Slot.payload
    let writer = try FrameRingWriter(at: path, slots: 8, capacity: capacity)
    let reader = try FrameRingReader(path: path)
    for byte in 1...24 as ClosedRange<UInt8> {
      try writer.publish(repeating: byte, byteCount: capacity)
      let frame = try #require(try reader.nextFrame())
      #expect(frame.bytes.isUniform && frame.bytes[0] == byte && frame.bytes.count == capacity)
    }
  }

  @Test func aNewSessionTakesThePlaceOfAnAbandonedOne() throws {
    let first = try FrameRingWriter(at: path)
    try first.publish(repeating: 1)
    let reader = try FrameRingReader(path: path)
    let second = try FrameRingWriter(at: path)
    #expect(try !reader.isCurrent())
    #expect(try FrameRingReader(path: path).session == second.session)
    // The end of the first session does not remove the file of the second session.
    try first.finish()
    #expect(folder.names == ["frames.ring"])
    #expect(reader.state == .finished)
  }

  @Test func theEndIsFinal() throws {
    let (writer, reader) = try openRing(at: path)
    try writer.finish(error: RingSessionError(domain: "d", code: 1, text: "t"))
    try writer.finish()
    writer.isPaused = true
    #expect((reader.state, reader.sessionError?.code) == (.finished, 1))
    #expect(folder.names == [])
  }

  @Test func pausingOutlivesTheMoveToALargerFile() throws {
    let writer = try FrameRingWriter(at: path)
    writer.isPaused = true
    try writer.publish(repeating: 1, byteCount: 10_000)
    #expect(try FrameRingReader(path: path).state == .paused)
  }

  @Test func theFileIsPrivateAndItsMemoryIsReserved() throws {
    let writer = try FrameRingWriter(at: path, capacity: 100_000)
    var status = stat()
    // UNSAFE: the call fills the struct.
    #expect(unsafe stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(Int(status.st_blocks) * 512 >= Int(status.st_size))
    #expect(writer.framesPublished == 0)
  }

  @Test(arguments: [0, 4096, RingLayout.slotsOffset + 5000, RingLayout.slotsOffset + 8192 + 1])
  func aWriterWhoseFileIsTruncatedContinuesInANewOne(byteCount: Int) throws {
    let writer = try FrameRingWriter(at: path, capacity: 8000)
    let old = try FrameRingReader(path: path)
    try writer.publish(repeating: 1, byteCount: 8000)
    #expect(try old.nextFrame()?.stamp.number == 1)
    setSize(of: path, to: byteCount)
    for byte in 2...6 as ClosedRange<UInt8> { try writer.publish(repeating: byte, byteCount: 8000) }
    #expect(try !old.isCurrent())
    let reader = try FrameRingReader(path: path)
    #expect((reader.session, reader.framesPublished) == (writer.session, 6))
    #expect(try reader.nextFrame()?.stamp.number == 6)
    try writer.finish()
    #expect(folder.names == [])
  }

  /// A truncation or removal that no access detects. The writer checks its path twice per second.
  @Test(arguments: [nil, 0, 8192 + 8192 + 1]) func aFileThatIsNotWholeInItsPlaceIsReplaced(cutTo: Int?) throws
  {
    let writer = try FrameRingWriter(at: path, slots: 8, capacity: 8000)
    let clock = TestClock()
    func publish(_ byte: UInt8) throws {
      try writer.publish(byteCount: 10, captureTime: 0, orientation: 1, clock: clock) { slot in
        slot[0] = byte
      }
    }
    try publish(1)
    if let cutTo { setSize(of: path, to: cutTo) } else { try FileManager.default.removeItem(atPath: path) }
    clock.advance(by: .milliseconds(501))
    try publish(2)
    try publish(3)
    let reader = try FrameRingReader(path: path)
    #expect(try (reader.nextFrame()?.stamp.number, reader.session) == (3, writer.session))
  }

  @Test func whatTakesItsPlaceAndCannotBeReplacedDoesNotStopTheWriter() throws {
    let (writer, reader) = try openRing(at: path)
    try FileManager.default.removeItem(atPath: path)
    try makeFile(of: S_IFDIR, at: path)
    let clock = TestClock()
    for number in 1...5 as ClosedRange<UInt64> {
      clock.advance(by: .milliseconds(501))
      try writer.publish(byteCount: 1, captureTime: 0, orientation: 1, clock: clock) { _ in }
      #expect(try reader.nextFrame()?.stamp.number == number)
    }
    try FileManager.default.removeItem(atPath: path)
    clock.advance(by: .milliseconds(501))
    try writer.publish(repeating: 6)
    try writer.publish(repeating: 7)
    #expect(try FrameRingReader(path: path).nextFrame()?.stamp.number == 7)
  }

  @Test func aFolderInItsPlaceIsAnErrorAndNothingIsLeftBehind() throws {
    try makeFile(of: S_IFDIR, at: path)
    #expect(throws: FileError(.notAPlainFile, path)) { try FrameRingWriter(at: path) }
    #expect(folder.names == ["frames.ring"])
  }

  @Test func aLinkInItsPlaceIsReplacedAndNotFollowed() throws {
    let target = folder("target")
    try Data("kept".utf8).write(to: URL(fileURLWithPath: target))
    try makeFile(of: S_IFLNK, at: path, leadingTo: target)
    try makeFile(of: S_IFLNK, at: path + ".new", leadingTo: target)
    let writer = try FrameRingWriter(at: path)
    try writer.publish(repeating: 1)
    #expect(try FrameRingReader(path: path).nextFrame() != nil)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    #expect(folder.names == ["frames.ring", "target"])
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aFullFileSystemIsAnErrorAtTheStartAndLeavesNothing() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let path = tiny.path + "/frames.ring"
    let full = FileError(.call("posix_fallocate", Errno(rawValue: ENOSPC)), path + ".new")
    #expect(throws: full) { try FrameRingWriter(at: path, capacity: 1 << 20) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: tiny.path) == [])
    // The space of the failed reservation is free again.
    let writer = try FrameRingWriter(at: path, capacity: 200_000)
    try writer.publish(repeating: 1, byteCount: 200_000)
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aRingThatCannotGrowKeepsWhatItHas() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let path = tiny.path + "/frames.ring"
    let writer = try FrameRingWriter(at: path, capacity: 100_000)
    try writer.publish(repeating: 1)
    #expect(throws: (any Error).self) { try writer.publish(repeating: 2, byteCount: 400_000) }
    try writer.publish(repeating: 3)
    #expect(try FrameRingReader(path: path).nextFrame()?.stamp.number == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: tiny.path) == ["frames.ring"])
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aFileSystemThatFillsUpLosesNothingOfARunningRing() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let path = tiny.path + "/frames.ring"
    let writer = try FrameRingWriter(at: path, capacity: 100_000)
    let reader = try FrameRingReader(path: path)
    try tiny.fill()
    for byte in 1...9 as ClosedRange<UInt8> {
      try writer.publish(repeating: byte, byteCount: 100_000)
      let frame = try #require(try reader.nextFrame())
      #expect(frame.bytes.isUniform && frame.bytes[0] == byte && frame.bytes.count == 100_000)
    }
    try writer.finish()
    #expect(reader.state == .finished)
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aTruncatedRingOnAFullFileSystemContinuesWhenThereIsRoom() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let path = tiny.path + "/frames.ring"
    let writer = try FrameRingWriter(at: path, capacity: 100_000)
    let reader = try FrameRingReader(path: path)
    setSize(of: path, to: 0)
    try tiny.fill()
    let full = FileError(.call("posix_fallocate", Errno(rawValue: ENOSPC)), path + ".new")
    for _ in 0..<2 { #expect(throws: full) { try writer.publish(repeating: 2) } }
    #expect(throws: FileError(.cutShort, path)) { try reader.nextFrame() }
    try tiny.empty()
    try writer.publish(repeating: 3)
    #expect(try FrameRingReader(path: path).nextFrame()?.bytes[0] == 3)
  }
}
