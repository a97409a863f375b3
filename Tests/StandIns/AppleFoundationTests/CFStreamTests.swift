import AppleFoundation
import TestSupport

@Suite struct CFStreamTests {
  /// Records the events that a stream's delegate receives.
  private final class Recorder: NSObject, StreamDelegate, @unchecked Sendable {
    private let events = Mutex<[UInt]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
      events.withLock { $0.append(eventCode.rawValue) }
      arrived.signal()
    }

    /// Waits for `count` more events. Returns all events so far.
    func wait(_ count: Int = 1) -> [Stream.Event] {
      for _ in 0..<count where arrived.wait(timeout: .now() + 60) == .timedOut { break }
      return events.withLock { $0.map(Stream.Event.init) }
    }
  }

  /// Both streams of one socket of a pair, and the peer socket.
  private struct Pair {
    let input: InputStream
    let output: OutputStream
    let peer: Int32

    /// Returns two connected sockets that the child processes of other tests do not inherit.
    private static func sockets() throws -> [Int32] {
      var sockets: [Int32] = [0, 0]
      let type = SOCK_STREAM | Int32(SOCK_CLOEXEC.rawValue)
      try #require(unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0)
      // If nothing arrives, a read fails after this time.
      var limit = timeval(tv_sec: 60, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      try #require(unsafe setsockopt(sockets[1], SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0)
      return sockets
    }

    init() throws {
      let sockets = try Self.sockets()
      var readStream: Unmanaged<CFReadStream>?
      var writeStream: Unmanaged<CFWriteStream>?
      unsafe CFStreamCreatePairWithSocket(kCFAllocatorDefault, sockets[0], &readStream, &writeStream)
      input = try #require(unsafe readStream?.takeRetainedValue())
      output = try #require(unsafe writeStream?.takeRetainedValue())
      peer = sockets[1]
      for stream in [input, output] as [Stream] {
        _ = stream.setProperty(
          kCFBooleanTrue, forKey: Stream.PropertyKey(kCFStreamPropertyShouldCloseNativeSocket as String))
      }
    }

    /// Returns an input stream without an output stream, and the peer socket.
    static func single() throws -> (InputStream, peer: Int32) {
      let sockets = try sockets()
      var readStream: Unmanaged<CFReadStream>?
      unsafe CFStreamCreatePairWithSocket(kCFAllocatorDefault, sockets[0], &readStream, nil)
      let input = try #require(unsafe readStream?.takeRetainedValue())
      CFReadStreamSetProperty(
        input, kCFStreamPropertyShouldCloseNativeSocket as CFStreamPropertyKey, kCFBooleanTrue)
      return (input, sockets[1])
    }

    func close() {
      input.close()
      output.close()
      Darwin.close(peer)
    }
  }

  @Test func reportsOpenAndSpaceOnceAndAgainAfterAWrite() throws {
    let pair = try Pair()
    let recorder = Recorder()
    pair.output.delegate = recorder
    pair.output.schedule(in: .current, forMode: .common)
    #expect(pair.output.streamStatus == .notOpen)
    pair.output.open()
    #expect(recorder.wait(2) == [.openCompleted, .hasSpaceAvailable])
    #expect(unsafe pair.output.write([1, 2, 3], maxLength: 3) == 3)
    #expect(recorder.wait() == [.openCompleted, .hasSpaceAvailable, .hasSpaceAvailable])
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(unsafe Darwin.read(pair.peer, &bytes, 8) == 3)
    pair.close()
  }

  @Test func reportsBytesAndTheEnd() throws {
    let pair = try Pair()
    let recorder = Recorder()
    pair.input.delegate = recorder
    pair.input.open()
    pair.input.schedule(in: .current, forMode: .common)
    #expect(recorder.wait() == [.openCompleted])
    #expect(unsafe Darwin.write(pair.peer, [9], 1) == 1)
    #expect(recorder.wait() == [.openCompleted, .hasBytesAvailable])
    var byte: UInt8 = 0
    #expect(unsafe pair.input.read(&byte, maxLength: 1) == 1)
    #expect(byte == 9)
    #expect(Darwin.shutdown(pair.peer, Int32(SHUT_WR)) == 0)
    #expect(recorder.wait() == [.openCompleted, .hasBytesAvailable, .hasBytesAvailable])
    #expect(unsafe (pair.input.read(&byte, maxLength: 1), pair.input.streamStatus) == (0, .atEnd))
    #expect(recorder.wait().last == .endEncountered)
    pair.close()
  }

  /// If the peer closes a connection with unread data, Linux resets it; Darwin reports the end of the stream.
  @Test func aPeerThatLeavesWithoutReadingAllIsTheEnd() throws {
    let pair = try Pair()
    pair.input.open()
    pair.output.open()
    #expect(unsafe pair.output.write([1], maxLength: 1) == 1)
    Darwin.close(pair.peer)
    var byte: UInt8 = 0
    #expect(unsafe (pair.input.read(&byte, maxLength: 1), pair.input.streamStatus) == (0, .atEnd))
    pair.input.close()
    pair.output.close()
  }

  @Test func reportsThePeersEndAsAnErrorOfAWrite() throws {
    let pair = try Pair()
    let recorder = Recorder()
    pair.output.delegate = recorder
    CFWriteStreamSetDispatchQueue(pair.output as? CFWriteStream, DispatchQueue(label: "test"))
    pair.output.open()
    _ = recorder.wait(2)
    // Closing the peer is not enough, because a child process of another test may hold it open between fork and exec.
    #expect(Darwin.shutdown(pair.peer, Int32(SHUT_RDWR)) == 0)
    #expect(unsafe pair.output.write([1], maxLength: 1) == -1)
    #expect(recorder.wait().last == .errorOccurred)
    let error = pair.output.streamError as NSError?
    #expect(error?.code == Int(EPIPE))
    #expect(error?.localizedDescription == "The operation couldn’t be completed. Broken pipe")
    pair.close()
  }

  @Test func closesTheSocketWithBothStreamsWhenThatIsSet() throws {
    let pair = try Pair()
    pair.input.open()
    pair.output.open()
    pair.input.close()
    #expect(unsafe pair.output.write([1], maxLength: 1) == 1)
    pair.output.close()
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(unsafe Darwin.read(pair.peer, &bytes, 8) == 1)
    #expect(unsafe Darwin.read(pair.peer, &bytes, 8) == 0)
    Darwin.close(pair.peer)
  }

  @Test func closesTheSocketOfASingleStream() throws {
    let (stream, peer) = try Pair.single()
    stream.open()
    stream.close()
    var byte: UInt8 = 0
    #expect(unsafe Darwin.read(peer, &byte, 1) == 0)
    Darwin.close(peer)
  }

  /// A delegate that waits may block the queue while the stream is closed.
  @Test func closesTheSocketWhileTheQueueOfItsEventsIsBlocked() throws {
    let pair = try Pair()
    let queue = DispatchQueue(label: "test")
    CFReadStreamSetDispatchQueue(pair.input as? CFReadStream, queue)
    let release = DispatchSemaphore(value: 0)
    queue.async { release.wait() }
    pair.input.open()
    pair.input.close()
    pair.output.close()
    var byte: UInt8 = 0
    #expect(unsafe Darwin.read(pair.peer, &byte, 1) == 0)
    release.signal()
    Darwin.close(pair.peer)
  }

  /// A socket that is closed before its event source has ended would take the events of the next socket with the same number.
  @Test func theNextSocketOfTheSameNumberHasItsEvents() throws {
    for _ in 0..<200 {
      let pair = try Pair()
      let recorder = Recorder()
      pair.input.delegate = recorder
      pair.input.schedule(in: .current, forMode: .common)
      pair.input.open()
      #expect(unsafe Darwin.write(pair.peer, [9], 1) == 1)
      #expect(recorder.wait(2) == [.openCompleted, .hasBytesAvailable])
      pair.input.remove(from: .current, forMode: .common)
      pair.close()
    }
  }

  @Test func closingEndsAReadThatWaits() throws {
    let pair = try Pair()
    pair.input.open()
    let input = UncheckedBox(pair.input)
    let result = Mutex<Int?>(nil)
    let thread = Mutex("")
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var byte: UInt8 = 0
      thread.withLock { $0 = Thread.currentID }
      let count = unsafe input.value.read(&byte, maxLength: 1)
      result.withLock { $0 = count }
      ended.signal()
    }
    #expect(holds { Thread.isWaiting(thread.withLock(\.self)) })
    pair.input.close()
    #expect(ended.wait(timeout: .now() + 60) == .success)
    #expect(result.withLock(\.self) == -1)
    pair.output.close()
    Darwin.close(pair.peer)
  }

  /// The stream of a handler that does not check the result of `socket`.
  @Test func aStreamWithoutASocketFailsWhenItIsOpened() throws {
    var writeStream: Unmanaged<CFWriteStream>?
    unsafe CFStreamCreatePairWithSocket(kCFAllocatorDefault, -1, nil, &writeStream)
    let output: OutputStream = try #require(unsafe writeStream?.takeRetainedValue())
    let recorder = Recorder()
    output.delegate = recorder
    output.schedule(in: .current, forMode: .common)
    output.open()
    #expect(recorder.wait() == [.errorOccurred])
    #expect((output.streamError as NSError?)?.code == Int(EBADF))
    #expect(unsafe output.write([1], maxLength: 1) == -1)
  }
}
