import TestSupport

@testable import Platform
@testable import SharedMemory

@Suite(.busyMachine) struct AudioRingTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("audio-app.ring") }

  private func open(_ audio: TestAudio) throws -> (TestAudio, AudioRingWriter, AudioRingReader) {
    (audio, try audio.writer(path), try AudioRingReader(path: path))
  }

  @Test func whatIsWrittenIsReadOnceAndInOrder() throws {
    let (testAudio, writer, reader) = try open(.mono)
    #expect(reader.session == TestAudio.session && reader.format == testAudio.format && reader.state == .live)
    #expect(try reader.read() == [])
    try testAudio.publish(100, to: writer)
    try testAudio.publish(50, to: writer)
    let runs = try reader.read()
    #expect(runs.map { $0.frames() } == [0..<150])
    #expect(runs.allSatisfy(testAudio.isRight))
    #expect(try reader.read() == [])
    try testAudio.publish(7, to: writer)
    #expect(try reader.read().map { $0.frames() } == [150..<157])
    #expect(reader.gaps == 0 && reader.framesLost == 0 && reader.framesPublished == 157)
  }

  @Test func bothByteOrdersAreReadAsTheSameNumbers() throws {
    for isBigEndian in [true, false] {
      let testAudio = TestAudio(sampleRate: 44_100, channelCount: 2, isBigEndian: isBigEndian)
      let writer = try testAudio.writer(path)
      let bytes: [UInt8] = isBigEndian ? [0x12, 0x34, 0xFF, 0xFE] : [0x34, 0x12, 0xFE, 0xFF]
      try writer.publish(bytes.span, format: testAudio.format, captureTime: 9)
      let run = try #require(AudioRingReader(path: path).read().first)
      #expect(run == AudioRun(firstFrame: 0, captureTime: 9, samples: [0x1234, -2]))
      try writer.finish()
    }
  }

  @Test(arguments: [(44_100.0, 131_072), (48_000, 131_072), (1000, 2048), (384_000, 1_048_576)])
  func thereIsRoomForTwoSeconds(rate: Double, capacity: Int) throws {
    let testAudio = TestAudio(sampleRate: rate, channelCount: 2, isBigEndian: true)
    let writer = try testAudio.writer(path)
    #expect(writer.capacity == capacity)
    #expect(try AudioRingReader(path: path).capacity == capacity)
  }

  /// Simulates 200 seconds with packets of random lengths and 30 polls per second.
  @Test func nothingIsLostAtThePollRate() throws {
    let (testAudio, writer, reader) = try open(.stereo)
    var random = SeededGenerator(seed: 1)
    var next: UInt64 = 0
    for poll in 1...6_000 as ClosedRange<UInt64> {
      while writer.framesPublished < poll * 1000 / 30 {
        try testAudio.publish(UInt64.random(in: 1...40, using: &random), to: writer)
      }
      for run in try reader.read() {
        #expect(run.firstFrame == next)
        #expect(testAudio.isRight(run))
        next = run.frames(2).upperBound
      }
    }
    #expect(next == writer.framesPublished && next >= 200_000)
    #expect(reader.gaps == 0 && reader.framesLost == 0)
  }

  @Test func aReaderThatSleepsTooLongCountsWhatItMissed() throws {
    let (testAudio, writer, reader) = try open(.stereo)
    for _ in 0..<10 { try testAudio.publish(512, to: writer) }
    let runs = try reader.read()
    #expect(runs.map { $0.frames(2) } == [3072..<5120])
    #expect(runs.allSatisfy(testAudio.isRight))
    #expect(reader.gaps == 1 && reader.framesLost == 3072)
    try testAudio.publish(10, to: writer)
    #expect(try (reader.read().count, reader.gaps) == (1, 1))
  }

  @Test func packetsWithoutAnEntryAreMissingToo() throws {
    let (testAudio, writer, reader) = try open(.mono)
    for _ in 0..<600 { try testAudio.publish(1, to: writer) }
    #expect(try reader.read().map { $0.frames() } == [88..<600])
    #expect(reader.gaps == 1 && reader.framesLost == 88)
  }

  @Test func aPacketLargerThanAnyPlaceIsDivided() throws {
    let (testAudio, writer, reader) = try open(.mono)
    try testAudio.publish(1500, to: writer)
    let runs = try reader.read()
    #expect(runs.map { $0.frames() } == [0..<1500])
    #expect(runs.allSatisfy(testAudio.isRight))
    #expect(reader.position == AudioRingPosition(frame: 1500, packet: 3))
    // If a packet is larger than the ring, only its end remains.
    try testAudio.publish(5000, to: writer)
    let rest = try reader.read()
    #expect((rest.last?.frames().upperBound, rest.allSatisfy(testAudio.isRight)) == (6500, true))
    #expect(reader.framesLost + UInt64(rest.reduce(0) { $0 + $1.samples.count }) == 5000)
  }

  @Test func aPauseDividesWhatIsRead() throws {
    let (testAudio, writer, reader) = try open(.mono)
    try testAudio.publish(100, to: writer)
    try testAudio.publish(100, to: writer, late: .microseconds(1_900))
    try testAudio.publish(100, to: writer, late: .milliseconds(700))
    try testAudio.publish(100, to: writer, late: .milliseconds(700))
    try testAudio.publish(100, to: writer)
    let runs = try reader.read()
    #expect(runs.map { $0.frames() } == [0..<200, 200..<400, 400..<500])
    #expect(
      runs.map(\.captureTime) == [
        testAudio.time(0), testAudio.time(200) + .milliseconds(700), testAudio.time(400),
      ])
    #expect(reader.gaps == 0)
  }

  @Test func anotherFormatContinuesInAnotherFile() throws {
    let (first, second) = (TestAudio.mono, TestAudio.stereo)
    let writer = try first.writer(path)
    let old = try AudioRingReader(path: path)
    try first.publish(100, to: writer)
    writer.countDrop(3)
    writer.isPaused = true
    try second.publish(60, to: writer)
    #expect(try old.read().map { $0.frames() } == [0..<100])
    #expect(try old.state == .replaced && !old.isCurrent())
    let new = try AudioRingReader(path: path)
    new.resume(at: old.position)
    #expect(new.format == second.format && new.session == TestAudio.session)
    #expect(new.state == .paused && new.packetsDropped == 3)
    let runs = try new.read()
    #expect(runs.map { $0.frames(2) } == [100..<160])
    #expect(runs.allSatisfy(second.isRight))
    #expect(new.gaps == 0)
    // A reader that opens only the second file misses the frames of the first file.
    let late = try AudioRingReader(path: path)
    #expect(try late.read().count == 1 && late.gaps == 1 && late.framesLost == 100)
  }

  /// A file that continues a session is opened before its first packet.
  @Test(arguments: [true, false]) func aFileThatHasNothingYetIsNoDamage(joins: Bool) throws {
    let writer = try TestAudio.mono.writer(path)
    for _ in 0..<2 { try TestAudio.mono.publish(100, to: writer) }
    var readers: [AudioRingReader] = []
    writer.whileWriting = { [path] in
      do {
        readers = try (0..<2).map { _ in try AudioRingReader(path: path) }
        readers[1].resume(at: AudioRingPosition(frame: 150, packet: 1))
        for reader in readers + readers {
          #expect(try reader.read(joiningWith: joins ? .seconds(1) : nil) == [])
        }
      } catch {
        Issue.record(error)
      }
    }
    try TestAudio(sampleRate: 2000, channelCount: 1, isBigEndian: false).publish(100, to: writer)
    #expect(readers.map(\.gaps) == [0, 0])
    for (reader, lost) in zip(readers, [200, 50] as [UInt64]) {
      #expect(try reader.read().map { $0.frames() } == [200..<300])
      #expect(reader.framesLost == (joins ? 0 : lost))
    }
  }

  @Test func aPauseIsMarkedHoweverShortItIs() throws {
    let writer = try TestAudio.mono.writer(path)
    let reader = try AudioRingReader(path: path)
    try TestAudio.mono.publish(100, to: writer)
    writer.isPaused = true
    // A late packet belongs to the time before the pause.
    try TestAudio.mono.publish(100, to: writer)
    writer.isPaused = false
    try TestAudio.mono.publish(100, to: writer)
    let other = TestAudio(sampleRate: 2000, channelCount: 1, isBigEndian: false)
    let runs = try reader.read()
    #expect(runs.map { $0.frames() } == [0..<200, 200..<300])
    #expect(runs.map(\.pauses) == [0, 1])
    // The next file of the session continues the count.
    try writer.publish([1, 0].span, format: other.format, captureTime: 9)
    #expect(try AudioRingReader(path: path).read().map(\.pauses) == [1])
  }

  @Test func whoJoinsBeginsWithTheLastSecond() throws {
    let testAudio = TestAudio.mono
    let writer = try testAudio.writer(path)
    for _ in 0..<20 { try testAudio.publish(300, to: writer) }
    let reader = try AudioRingReader(path: path)
    #expect(try reader.read(joiningWith: .seconds(1)).map { $0.frames() } == [5100..<6000])
    let other = try AudioRingReader(path: path)
    #expect(try other.read(joiningWith: .zero).map { $0.frames() } == [5700..<6000])
    #expect(reader.gaps == 0 && other.gaps == 0 && reader.framesLost == 0)
  }

  @Test func theEndIsReportedAndTheFileIsRemoved() throws {
    let (testAudio, writer, reader) = try open(.mono)
    try testAudio.publish(100, to: writer)
    try writer.finish()
    try writer.finish()
    #expect(reader.state == .finished)
    #expect(folder.names == [])
    // Audio that was not read before the end can still be read.
    #expect(try reader.read().count == 1)
    #expect(throws: FileError.self) { try AudioRingReader(path: path) }
  }

  @Test func anotherSessionsFileIsLeftAloneAndSeen() throws {
    let (testAudio, writer, reader) = try open(.mono)
    let other = try AudioRingWriter(
      path: path, format: testAudio.format, session: RingSession(id: 78, processID: 6, startTime: 4))
    #expect(try !reader.isCurrent())
    try writer.finish()
    #expect(try AudioRingReader(path: path).session.id == 78)
    try other.finish()
    #expect(folder.names == [])
  }

  @Test func aFileThatIsTakenAwayIsMadeAgain() throws {
    let testAudio = TestAudio.mono
    let writer = try testAudio.writer(path)
    for _ in 0..<3 { try testAudio.publish(100, to: writer) }
    try PlainFile.move(path, to: folder("moved"))
    for _ in 0..<6 { try testAudio.publish(100, to: writer) }
    let reader = try AudioRingReader(path: path)
    let runs = try reader.read(joiningWith: .seconds(1))
    #expect((runs.last?.frames().upperBound, runs.allSatisfy(testAudio.isRight)) == (900, true))
  }

  @Test func aFormatThatNoRingHasIsRefused() {
    for rate in [0, 999, 384_001, -44_100, .nan, .infinity] {
      #expect(AudioRingFormat(sampleRate: rate, channelCount: 1, isBigEndian: false) == nil)
    }
    for channels in [-1, 0, 3, .max] {
      #expect(AudioRingFormat(sampleRate: 48_000, channelCount: channels, isBigEndian: false) == nil)
    }
  }
}
