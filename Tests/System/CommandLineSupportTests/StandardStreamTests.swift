import TestSupport

@testable import CommandLineSupport

@Suite struct StandardStreamTests {
  @Test func textsArriveInOrder() throws {
    let collected = CollectedStream()
    collected.stream.write("one ")
    collected.stream.write(Data("two".utf8))
    #expect(try (collected.stream.failure, collected.text()) == (nil, "one two"))
  }

  @Test func outputIsDroppedAfterTheReaderHasClosedThePipe() throws {
    System.ignoreBrokenPipes()
    let collected = CollectedStream()
    try collected.closeReader()
    // Repeat until a write fails: a child that another test launches may hold the pipe open until it executes its program.
    while collected.stream.failure == nil { collected.stream.write("lost") }
    collected.stream.write("lost too")
    #expect(collected.stream.failure == Errno(rawValue: EPIPE))
  }

  @Test func moreThanAPipeHoldsArrivesWholeThroughANonBlockingDescriptor() async throws {
    let pipe = ProcessLauncher.makePipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let stream = StandardStream(descriptor: descriptor)
    let sent = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    async let received = Task.detached { try pipe.fileHandleForReading.readToEnd() }.value
    stream.write(sent)
    try pipe.fileHandleForWriting.close()
    #expect(try await received == sent)
    #expect(stream.failure == nil)
  }

  @Test func aFullDiskIsAFailureOfTheStream() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let stream = StandardStream(descriptor: full.fileDescriptor)
    stream.write("lost")
    #expect(stream.failure == .noSpace)
    let text = stream.programFailure.map { "\($0)" } ?? ""
    #expect(text.hasSuffix("(no space left on device)."), "\(text)")
  }

  @Test func outputForAReaderThatStandsStillWaitsAndIsWritten() async throws {
    let pipe = ProcessLauncher.makePipe()
    let stream = StandardStream(
      descriptor: pipe.fileHandleForWriting.fileDescriptor, queue: DispatchQueue(label: "output"))
    let sent = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    stream.write(sent)
    #expect(!stream.flush(within: .milliseconds(20)))
    async let received = Task.detached { try pipe.fileHandleForReading.read(upToCount: sent.count) }.value
    #expect(try await received == sent)
    #expect((stream.flush(), stream.failure) == (true, nil))
  }

  @Test func moreOutputThanMayWaitIsAFailure() throws {
    System.ignoreBrokenPipes()
    let pipe = ProcessLauncher.makePipe()
    let stream = StandardStream(
      descriptor: pipe.fileHandleForWriting.fileDescriptor, queue: DispatchQueue(label: "output"))
    let part = Data(count: 1 << 20)
    for _ in 0..<4 { stream.write(part) }
    #expect(stream.failure == nil)
    stream.write(part)
    #expect(stream.failure == .noBufferSpace)
    try pipe.fileHandleForReading.close()
    #expect((stream.flush(), stream.failure) == (true, .noBufferSpace))
  }

  @Test func aPipeIsNoTerminalAndHasTheFallbackSize() throws {
    let collected = CollectedStream()
    #expect((collected.stream.isTerminal, collected.stream.terminalWidth) == (false, 80))
  }

  @Test func linesOfManyThreadsAreNotMixed() throws {
    let collected = CollectedStream()
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      collected.stream.write(String(repeating: "\(index % 10)", count: 500) + "\n")
    }
    let lines = try collected.text().split(separator: "\n")
    #expect(lines.count == 64)
    #expect(lines.allSatisfy { $0.count == 500 && Set($0).count == 1 })
  }
}
