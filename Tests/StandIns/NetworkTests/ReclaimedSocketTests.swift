import Network
import TestSupport

/// The system shuts down the sockets of an app that it suspends.
@Suite struct ReclaimedSocketTests {
  private let queue = DispatchQueue(label: "test")

  /// The sockets of an app: a listener, and connections that it reads from, or sends to until nothing more fits.
  private final class App: Sendable {
    let listener: NWListener
    private let connections = Mutex<[NWConnection]>([])
    private let ended = Mutex(0)

    init(on queue: DispatchQueue) throws {
      listener = try NWListener(using: .tcp)
      // A connection may arrive while its app ends: the queue calls the handler later.
      listener.newConnectionHandler = { [weak self] connection in
        guard let self else { return connection.cancel() }
        let number = connections.withLock {
          $0.append(connection)
          return $0.count
        }
        connection.start(queue: queue)
        if number % 3 == 0 { send(over: connection) }
        // A third of them is neither read nor written to, and waits for nothing.
        if number % 3 == 1 { receive(from: connection) }
      }
      listener.start(queue: queue)
    }

    var accepted: Int { connections.withLock(\.count) }
    var endedCalls: Int { ended.withLock(\.self) }

    private func receive(from connection: NWConnection) {
      connection.receive(minimumIncompleteLength: 4, maximumLength: 4) { [self] data, _, _, _ in
        if data?.count == 4 { return receive(from: connection) }
        ended.withLock { $0 += 1 }
        connection.cancel()
      }
    }

    private func send(over connection: NWConnection) {
      connection.send(
        content: Data(count: 1 << 20),
        completion: .contentProcessed { [self] error in
          if error == nil { return send(over: connection) }
          ended.withLock { $0 += 1 }
          connection.cancel()
        })
    }

    func cancel() {
      for connection in connections.withLock(\.self) { connection.cancel() }
      listener.cancel()
    }
  }

  /// Shuts down all sockets of this process that are bound to a port, as ``ProcessSockets`` does for those of another process.
  private func reclaim(_ port: NWEndpoint.Port) {
    for descriptor in Int32(0)..<1024 {
      var (address, size) = (sockaddr_in6(), socklen_t(MemoryLayout<sockaddr_in6>.size))
      // UNSAFE: the call fills the address, whose size it is given.
      let code = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe getsockname(descriptor, $0, &size)
        }
      }
      guard code == 0, address.sin6_port == port.rawValue.bigEndian else { continue }
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  /// Without `hang_up.c`, libdispatch on Linux ends the events of such a source at once, and sometimes crashes the process.
  @Test func aSourceOfAShutDownSocketIsCalledUntilItIsCancelled() async throws {
    var ends: [Int32] = [-1, -1]
    // UNSAFE: the call fills both elements of the array.
    let code = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    try #require(code == 0)
    let calls = Atomic(0), isClosed = Atomic(false)
    let near = ends[0]
    let source = DispatchSource.makeReadSource(fileDescriptor: near, queue: queue)
    // Until then the calls follow each other without a pause, so the handler does not wait for the test.
    source.setEventHandler { if calls.add(1, ordering: .relaxed).newValue == 5 { source.cancel() } }
    source.setCancelHandler {
      close(near)
      isClosed.store(true, ordering: .relaxed)
    }
    source.activate()
    _ = shutdown(ends[1], Int32(SHUT_RDWR))
    #expect(await eventually { isClosed.load(ordering: .relaxed) })
    #expect(calls.load(ordering: .relaxed) == 5)
    close(ends[1])
  }

  @Test func aListenerWhoseSocketIsShutDownFails() async throws {
    let app = try App(on: queue)
    #expect(await eventually { app.listener.state == .ready })
    reclaim(try #require(app.listener.port))
    #expect(await eventually { app.listener.state == .failed(.posix(.ECONNABORTED)) })
    app.cancel()
  }

  @Test(arguments: [true, false])
  func aConnectionWhoseSocketIsShutDownFailsAndOneThatIsClosedIsComplete(isReclaimed: Bool) async throws {
    let accepted = Mutex<NWConnection?>(nil), ends = Recorder<String>()
    let listener = try NWListener(using: .tcp)
    listener.newConnectionHandler = { [queue] connection in
      accepted.withLock { $0 = connection }
      connection.start(queue: queue)
      connection.receive(minimumIncompleteLength: 1, maximumLength: 1) { _, _, isComplete, error in
        ends.add("\(isComplete) \(error.map { "\($0 == .posix(.ECONNABORTED))" } ?? "nil")")
      }
    }
    listener.start(queue: queue)
    #expect(await eventually { listener.state == .ready })
    let port = try #require(listener.port)
    let client = NWConnection(host: "127.0.0.1", port: port, using: .tcp)
    client.start(queue: queue)
    #expect(await eventually { accepted.withLock { $0?.state } == .ready })
    if isReclaimed { reclaim(port) } else { client.cancel() }
    #expect(await eventually { !ends.values.isEmpty })
    #expect(ends.values == [isReclaimed ? "false true" : "true nil"])
    let state = accepted.withLock { $0?.state }
    #expect(state == (isReclaimed ? .failed(.posix(.ECONNABORTED)) : .ready))
    accepted.withLock { $0?.cancel() }
    client.cancel()
    listener.cancel()
  }

  @Test func anAppSurvivesHundredsOfSuspensions() async throws {
    for round in 0..<300 {
      let app = try App(on: queue)
      try #require(await eventually { app.listener.state == .ready })
      let port = try #require(app.listener.port)
      let clients = (0..<9).map { _ in NWConnection(host: "127.0.0.1", port: port, using: .tcp) }
      for client in clients { client.start(queue: queue) }
      // In some rounds the sockets end while connections begin.
      let awaited = round % 3 == 0 ? 0 : clients.count
      try #require(await eventually { app.accepted >= awaited })
      reclaim(port)
      try #require(await eventually { app.listener.state == .failed(.posix(.ECONNABORTED)) })
      try #require(await eventually { app.endedCalls >= awaited * 2 / 3 })
      for client in clients { client.cancel() }
      app.cancel()
    }
  }
}
