import TestSupport

@testable import Platform
@testable import SharedMemory

/// Tests readers that sleep until a frame is published or the session ends.
@Suite struct FrameRingReaderWaitTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("frames.ring") }

  private static let second: UInt64 = 1_000_000_000
  /// Later than every other limit of these tests, so a reader that misses a wake-up fails its test.
  private static var inTenMinutes: MonotonicTime { SystemClock().now + .seconds(600) }

  @Test func aFrameThatIsThereIsNotWaitedFor() throws {
    let (writer, reader) = try openRing(at: path)
    try writer.publish(repeating: 1)
    #expect(reader.wait(until: Self.inTenMinutes))
  }

  @Test func withoutAFrameItEndsAtTheDeadline() throws {
    let (writer, reader) = try openRing(at: path)
    try writer.publish(repeating: 1)
    _ = try reader.nextFrame()
    let begin = SystemClock().now
    var deadline = begin
    while SystemClock().now < begin + .milliseconds(50) {
      deadline = SystemClock().now + .milliseconds(10)
      #expect(!reader.wait(until: deadline))
    }
    #expect(SystemClock().now >= deadline)
  }

  /// Readers on separate threads wait for every frame.
  @Test(arguments: [1, 8]) func everyFrameWakesEverySleeper(count: Int) throws {
    let writer = try FrameRingWriter(at: path)
    let readers = try (0..<count).map { _ in try FrameRingReader(path: path) }
    try writer.publish(repeating: 0)
    let done = DispatchGroup()
    let frames: UInt64 = 2000
    let seen = Mutex([UInt64](repeating: 0, count: count))
    for (index, reader) in readers.enumerated() {
      let box = UncheckedBox(reader)
      Thread.detach(in: done) {
        let reader = box.value
        while seen.withLock({ $0[index] }) < frames {
          guard reader.wait(until: Self.inTenMinutes) else { continue }
          let number = try? reader.next { stamp, _ in stamp.number }
          if let number { seen.withLock { $0[index] = number } }
        }
      }
    }
    // The writer continues when the slowest reader has seen the frame, so each reader sleeps for each frame.
    for byte in 1..<frames {
      #expect(holds(within: .seconds(60)) { seen.withLock { $0.allSatisfy { $0 >= byte } } })
      try writer.publish(repeating: UInt8(truncatingIfNeeded: byte))
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(seen.withLock { $0.allSatisfy { $0 == frames } })
  }

  @Test(arguments: [true, false]) func theEndAndTheMoveToALargerFileWakeSleepers(ends: Bool) throws {
    let (writer, reader) = try openRing(at: path)
    try writer.publish(repeating: 1)
    _ = try reader.nextFrame()
    let done = DispatchGroup()
    let box = UncheckedBox(reader)
    let thread = Mutex("")
    Thread.detach(in: done) {
      thread.withLock { $0 = Thread.currentID }
      box.value.wait(until: Self.inTenMinutes)
    }
    #expect(holds { Thread.isWaiting(thread.withLock(\.self)) })
    if ends { try writer.finish() } else { try writer.publish(repeating: 2, byteCount: 10_000) }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(reader.state == (ends ? .finished : .replaced))
    // No frame will come: a further wait returns at once.
    #expect(!reader.wait(until: Self.inTenMinutes))
  }

  @Test func aReaderThatMayNotWriteTheFileSleepsAndIsWoken() throws {
    let writer = try FrameRingWriter(at: path)
    try writer.publish(repeating: 1)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let reader = try FrameRingReader(path: path)
    #expect(try reader.nextFrame()?.stamp.number == 1)
    #expect(!reader.wait(until: SystemClock().now + .milliseconds(10)))
    // The reader has not changed the file.
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let done = DispatchGroup()
    let box = UncheckedBox(reader)
    Thread.detach(in: done) { while !box.value.wait(until: Self.inTenMinutes) {} }
    try writer.publish(repeating: 2)
    #expect(done.wait(timeout: .now() + 60) == .success)
  }
}
