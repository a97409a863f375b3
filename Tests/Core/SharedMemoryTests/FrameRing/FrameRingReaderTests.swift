import TestSupport

@testable import Platform
@testable import SharedMemory

@Suite struct FrameRingReaderTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("frames.ring") }

  @Test func aFrameArrivesWithItsStampAndBytes() throws {
    let (writer, reader) = try openRing(at: path)
    let stamp = try writer.publish(repeating: 9, byteCount: 333, captureTime: 5_000_000_000, orientation: 8)
    #expect(stamp == FrameStamp(number: 1, captureTime: 5_000_000_000, publishTime: 2, orientation: 8))
    #expect(try reader.nextFrame() == Frame(stamp: stamp, bytes: [UInt8](repeating: 9, count: 333)))
  }

  @Test func onlyTheNewestFrameIsReadAndOnlyOnce() throws {
    let (writer, reader) = try openRing(at: path)
    #expect(try reader.nextFrame() == nil)
    for byte in 1...7 as ClosedRange<UInt8> { try writer.publish(repeating: byte) }
    let frame = try #require(try reader.nextFrame())
    #expect(frame.stamp.number == 7 && frame.bytes[0] == 7)
    #expect(try (reader.nextFrame(), reader.lastNumber, reader.framesPublished) == (nil, 7, 7))
  }

  @Test func readersDoNotTakeFramesFromEachOther() throws {
    let writer = try FrameRingWriter(at: path)
    let readers = [try FrameRingReader(path: path), try FrameRingReader(path: path)]
    try writer.publish(repeating: 1)
    for reader in readers { #expect(try reader.nextFrame()?.stamp.number == 1) }
  }

  @Test func framesUpToANumberCanBeLeftOut() throws {
    let (writer, reader) = try openRing(at: path)
    try writer.publish(repeating: 1)
    try writer.publish(repeating: 2)
    reader.skip(through: 2)
    #expect(try reader.nextFrame() == nil)
    reader.skip(through: 1)
    #expect(reader.lastNumber == 2)
    try writer.publish(repeating: 3)
    #expect(try reader.nextFrame()?.stamp.number == 3)
  }

  @Test func theSessionAndItsStateAreReported() throws {
    let (writer, reader) = try openRing(at: path)
    #expect(reader.session == writer.session)
    #expect(reader.session.processID == getpid() && reader.session.startTime == 7 && reader.session.id != 0)
    var states = [reader.state]
    for isPaused in [true, false] {
      writer.isPaused = isPaused
      states.append(reader.state)
    }
    writer.countDrop()
    writer.countDrop()
    #expect(reader.framesDropped == 2 && reader.sessionError == nil)
    try writer.finish()
    #expect(states + [reader.state] == [.live, .paused, .live, .finished])
    #expect(reader.sessionError == nil)
  }

  @Test func sessionsHaveIdsOfTheirOwn() throws {
    let ids = try (0..<20).map { _ in try FrameRingWriter(at: path).session.id }
    #expect(Set(ids).count == 20)
  }

  @Test(arguments: [
    RingSessionError(domain: "ExampleBroadcastExtension", code: 1, text: "Broadcast completed"),
    RingSessionError(domain: "d", code: Int.min, text: ""),
    RingSessionError(domain: "доменъ", code: Int.max, text: "Übertragung beendet 🎬"),
  ]) func theErrorOfASessionTravels(error: RingSessionError) throws {
    let (writer, reader) = try openRing(at: path)
    try writer.finish(error: error)
    #expect(reader.sessionError == error)
  }

  @Test func anOverlongErrorIsCutBetweenCharacters() throws {
    let (writer, reader) = try openRing(at: path)
    let domain = String(repeating: "🎬", count: 40)
    try writer.finish(
      error: RingSessionError(domain: domain, code: 3, text: String(repeating: "é", count: 400)))
    let error = try #require(reader.sessionError)
    #expect(error.domain == String(repeating: "🎬", count: 31))
    #expect((error.text, error.code) == (String(repeating: "é", count: 255), 3))
  }

  @Test func theFileIsMappedReadOnly() throws {
    let (writer, reader) = try openRing(at: path)
    try writer.publish(repeating: 1)
    #expect(try reader.nextFrame() != nil)
    let bytes = try PlainFile.read("/proc/self/maps", limit: 1 << 24)
    let maps = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let modes = maps.filter { $0.hasSuffix(path) }.map { $0.split(separator: " ")[1] }
    #expect(modes.sorted() == ["r--s", "rw-s"])
    #expect(reader.session == writer.session, "both live until here")
  }

  @Test func aWriteThroughAReaderEndsItsOwnProcess() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      let folder = try TemporaryFolder()
      let writer = try FrameRingWriter(at: folder("frames.ring"))
      try writer.publish(repeating: 1)
      let reader = try FrameRingReader(path: writer.path)
      try folder.remove()  // A process that ends this way does not clean up.
      _ = try reader.next { _, payload in
        // UNSAFE: writes to memory that is mapped read-only, on purpose.
        unsafe payload.withUnsafeBytes { bytes in
          unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress!).storeBytes(of: 9, as: UInt8.self)
        }
      }
    }
  }

  @Test func aSessionIsFollowedIntoALargerFile() throws {
    let writer = try FrameRingWriter(at: path, capacity: 100)
    let old = try FrameRingReader(path: path)
    try writer.publish(repeating: 1)
    writer.countDrop()
    #expect(try (old.nextFrame()?.stamp.number, old.isCurrent()) == (1, true))
    try writer.publish(repeating: 2, byteCount: 50_000)
    #expect(try (old.isCurrent(), old.state, old.nextFrame()) == (false, .replaced, nil))

    let new = try FrameRingReader(path: path)
    #expect(new.session == old.session)
    new.skip(through: old.lastNumber)
    let frame = try #require(try new.nextFrame())
    #expect(frame.stamp.number == 2 && frame.bytes == [UInt8](repeating: 2, count: 50_000))
    #expect(new.framesDropped == 1)
    #expect(folder.names == ["frames.ring"])
  }

  @Test func aFrameNotReadBeforeTheMoveIsStillInTheOldFile() throws {
    let writer = try FrameRingWriter(at: path, capacity: 100)
    let old = try FrameRingReader(path: path)
    try writer.publish(repeating: 1)
    try writer.publish(repeating: 2, byteCount: 5000)
    #expect(try old.nextFrame()?.stamp.number == 1)
    let new = try FrameRingReader(path: path)
    new.skip(through: 1)
    #expect(try new.nextFrame()?.stamp.number == 2)
  }

  @Test func aLargerFileCountsWhatWasPublishedBeforeIt() throws {
    let writer = try FrameRingWriter(at: path, capacity: 100)
    for byte in 1...5 as ClosedRange<UInt8> { try writer.publish(repeating: byte) }
    var found: Result<(count: UInt64, frame: Frame?), any Error>?
    // The larger file is there, and its first frame is not.
    try writer.publish(byteCount: 9000, captureTime: 0, orientation: 1) { _ in
      found = Result {
        let reader = try FrameRingReader(path: path)
        return (reader.framesPublished, try reader.nextFrame())
      }
    }
    let (count, frame) = try #require(found).get()
    #expect(count == 5 && frame == nil)
  }

  @Test func theLastFrameCanBeReadAfterTheEnd() throws {
    let (writer, reader) = try openRing(at: path)
    try writer.publish(repeating: 4)
    try writer.finish()
    #expect(folder.names == [])
    #expect(try (reader.isCurrent(), reader.nextFrame()?.bytes[0], reader.nextFrame()) == (false, 4, nil))
    #expect(throws: FileError(.call("open", Errno(rawValue: ENOENT)), path)) {
      try FrameRingReader(path: path)
    }
  }
}
