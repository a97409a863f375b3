import TestSupport

@testable import HTTPServer

@Suite(.sharedMachine) struct HTTPBodyStreamTests {
  /// A stream of numbered pieces with `size` bytes of padding each. A test allows pieces and ends the stream.
  private final class Numbers: HTTPBodyStream {
    private let state: Mutex<(allowed: Int, asked: Int, hasEnded: Bool)>
    private let size: Int
    private let onRelease: @Sendable () -> Void

    init(size: Int = 0, allowed: Int = 0, onRelease: @escaping @Sendable () -> Void = {}) {
      state = Mutex((allowed, 0, false))
      self.size = size
      self.onRelease = onRelease
    }

    deinit { onRelease() }

    func next() -> HTTPBodyPiece {
      state.withLock { state in
        if state.asked < state.allowed {
          state.asked += 1
          return .bytes(Array("<\(state.asked)>".utf8) + [UInt8](repeating: 46, count: size))
        }
        return state.hasEnded ? .end : .wait
      }
    }

    var nextByteCount: Int { state.withLock { $0.asked < $0.allowed ? size : 0 } }

    func allow(_ count: Int) { state.withLock { $0.allowed = count } }
    func end() { state.withLock { $0.hasEnded = true } }
    var asked: Int { state.withLock { $0.asked } }
  }

  private let servers = TestServers()

  /// Starts a server that answers with the stream of the request's path.
  private func serve(
    _ limits: HTTPLimits = HTTPLimits(), clock: any MonotonicClock = SystemClock(),
    _ stream: @escaping @Sendable (_ path: String) -> any HTTPBodyStream
  ) throws -> HTTPServer {
    try servers.serve(limits, clock: clock) { request in
      HTTPResponse(type: "text/plain", body: .stream(stream(request.path)))
    }
  }

  private final class Count: Sendable {
    private let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var number: Int { value.withLock { $0 } }
  }

  @Test func piecesComeAsChunksWhenTheStreamHasThem() throws {
    let numbers = Numbers()
    let server = try serve { _ in numbers }
    let client = try HTTPTestClient(server.port)
    client.send(request("GET /", port: server.port) + request("GET /2", port: server.port))
    #expect(client.gets("Transfer-Encoding: chunked"))
    numbers.allow(1)
    server.wake()
    #expect(client.gets("\r\n3\r\n<1>\r\n"))
    numbers.allow(2)
    server.wake()
    #expect(client.gets("\r\n3\r\n<2>\r\n"))
    numbers.end()
    server.wake()
    // The next request on the connection begins when the stream has ended.
    #expect(client.gets("<2>\r\n0\r\n\r\nHTTP/1.1 200 OK"))
  }

  @Test func aSlowReaderIsAskedForNoMoreThanItTakes() throws {
    let numbers = Numbers(size: 1 << 20, allowed: 1000)
    let server = try servers.serve { request in
      request.path == "/"
        ? HTTPResponse(type: "text/plain", body: .stream(numbers)) : HTTPResponse(.ok, "here")
    }
    let slow = try HTTPTestClient(server.port, asking: "GET /")
    #expect(holds { numbers.asked > 0 })
    let other = try HTTPTestClient(server.port)
    for turn in 1...20 {
      other.send(request("GET /other", port: server.port))
      #expect(other.gets("here", times: turn))
    }
    // The pieces that fit the kernel's buffers for a client, and one more.
    #expect(numbers.asked < 20)
    #expect(holds { slow.byteCount > 30 << 20 })
  }

  @Test func aReaderThatTakesNothingIsClosedInTime() throws {
    let released = Count()
    let clock = TestClock()
    let server = try serve(clock: clock) { _ in Numbers(size: 1 << 20, allowed: 1000) { released.add() } }
    let client = try HTTPTestClient(server.port, asking: "GET /")
    #expect(
      holds {
        clock.advance(by: .seconds(1))
        server.wake()
        return released.number == 1
      })
    #expect(client.isClosed())
  }

  @Test func aReaderThatTakesTooLittleIsClosedInTime() throws {
    let released = Count()
    let clock = TestClock()
    let server = try serve(clock: clock) { _ in Numbers(size: 32 << 20, allowed: 1) { released.add() } }
    let client = try HTTPTestClient(server.port, asking: "GET /")
    for _ in 1...3 {
      var byteCount = 0
      #expect(
        holds {
          byteCount += client.receiveOnce()
          return byteCount > 1 << 20 || client.hasEnded
        })
      clock.advance(by: .seconds(20))
      server.wake()
    }
    #expect(holds { released.number == 1 })
  }

  @Test func stalledReadersTogetherKeepNoMoreThanTheLimitAndAReaderStays() throws {
    let released = Count()
    var limits = HTTPLimits()
    limits.outputByteCount = 20 << 20
    let server = try serve(limits) { _ in Numbers(size: 8 << 20, allowed: 1000) { released.add() } }
    let reader = try HTTPTestClient(server.port, asking: "GET /")
    let stalled = try (0..<8).map { _ in try HTTPTestClient(server.port) }
    for client in stalled {
      client.send(request("GET /", port: server.port))
      var byteCount = 0
      #expect(
        holds {
          byteCount += reader.receiveOnce()
          return byteCount > 16 << 20
        })
    }
    // Two pieces fit, including the reader's.
    #expect(holds { released.number >= 6 })
    #expect(!reader.hasEnded)
  }

  private final class Held: Sendable {
    let state = Mutex((now: 0, most: 0, released: 0))
  }

  private final class Gate: Sendable {
    private let state = Mutex(false)
    var isOpen: Bool { state.withLock { $0 } }
    func open() { state.withLock { $0 = true } }
  }

  /// A stream of one piece. It counts the streams that hold a piece.
  private final class Piece: HTTPBodyStream {
    static let size = 8 << 20
    private let held: Held
    private let hasPiece = Mutex(false)

    init(_ held: Held) { self.held = held }

    deinit {
      held.state.withLock { held in
        held.now -= 1
        held.released += 1
      }
    }

    var nextByteCount: Int { hasPiece.withLock { $0 } ? 0 : Self.size }

    func next() -> HTTPBodyPiece {
      hasPiece.withLock { hasPiece in
        if hasPiece { return .wait }
        hasPiece = true
        held.state.withLock { held in
          held.now += 1
          held.most = max(held.most, held.now)
        }
        return .bytes([UInt8](repeating: 46, count: Self.size))
      }
    }
  }

  @Test func thereIsRoomForAPieceBeforeItIsMade() throws {
    let held = Held()
    var limits = HTTPLimits()
    limits.outputByteCount = 20 << 20
    let server = try serve(limits) { _ in Piece(held) }
    let stalled = try (0..<6).map { _ in try HTTPTestClient(server.port) }
    for client in stalled { client.send(request("GET /", port: server.port)) }
    // Two pieces fit.
    #expect(holds { held.state.withLock { $0.released } == 4 })
    #expect(held.state.withLock { $0.most } == 2)
  }

  @Test func aPieceAboveTheLimitStaysBesideAStreamThatWaits() throws {
    var limits = HTTPLimits()
    limits.outputByteCount = 1 << 20
    let server = try serve(limits) { path in Numbers(size: 32 << 20, allowed: path == "/large" ? 1 : 0) }
    let clients = try ["/", "/large"].map { path in
      let client = try HTTPTestClient(server.port, asking: "GET \(path)")
      #expect(client.gets("200 OK"))
      return client
    }
    #expect(holds { clients[1].byteCount > 32 << 20 })
  }

  /// A stream that produces one piece when its gate is open, and counts the pieces that were begun.
  private final class SlowPiece: HTTPBodyStream {
    private let begun: Count
    private let mayBegin: Gate
    private let mayEnd: DispatchSemaphore

    init(_ begun: Count, _ mayBegin: Gate, _ mayEnd: DispatchSemaphore) {
      self.begun = begun
      self.mayBegin = mayBegin
      self.mayEnd = mayEnd
    }

    func next() -> HTTPBodyPiece {
      guard mayBegin.isOpen else { return .wait }
      begun.add()
      mayEnd.wait()
      return .bytes([46])
    }
  }

  @Test func anEndWaitsForThePieceThatIsBeingMadeAndForNoOther() throws {
    let (begun, mayBegin, mayEnd) = (Count(), Gate(), DispatchSemaphore(value: 0))
    let server = try serve { _ in SlowPiece(begun, mayBegin, mayEnd) }
    let clients = try (0..<5).map { _ in try HTTPTestClient(server.port) }
    for client in clients {
      client.send(request("GET /", port: server.port))
      #expect(client.gets("200 OK"))
    }
    mayBegin.open()
    server.wake()
    #expect(holds { begun.number == 1 })
    let hasEnded = Count()
    Thread.detachNewThread {
      server.close()
      hasEnded.add()
    }
    #expect(holds { !server.isOpen })
    for _ in clients { mayEnd.signal() }
    #expect(holds { hasEnded.number == 1 })
    #expect(begun.number == 1)
  }

  @Test func aStreamIsReleasedWhenItsClientLeaves() throws {
    let released = Count()
    let server = try serve { _ in Numbers { released.add() } }
    var client: HTTPTestClient? = try HTTPTestClient(server.port, asking: "GET /")
    #expect(client?.gets("200 OK") == true)
    client = nil
    #expect(holds { released.number == 1 })
  }
}
