import Causes
import EmulatedDevice
import TestSupport

@testable import EmulatedSystem

/// Tests connections through the proxy with real sockets. The test is both the handler and the app.
@MainActor @Suite struct SocketProxyTests {
  private let folder: TemporaryFolder
  private let app: Listener
  private let proxy = SocketProxy()
  private let events = Recorder<SocketEvent>()
  private var path: String { folder.path + "/app" }

  init() throws {
    folder = try TemporaryFolder()
    app = try Listener(folder.path)
  }

  private func apply(_ fault: String) throws {
    try proxy.apply(fault == "none" ? nil : SocketFault(text: fault)) { [events] in events.add($0) }
  }

  /// Returns the ends of a new connection: the handler's, and the app's.
  private func connect(applying fault: String? = nil) throws -> (handler: SocketEnd, app: SocketEnd) {
    if let fault { try apply(fault) }
    let handler = try SocketEnd()
    #expect(try proxy.answer(handler.call(path)) == .connected)
    return (handler, try app.accept())
  }

  /// Waits for the event that the connection was closed, and returns it.
  private func closed() async throws -> SocketEvent {
    #expect(await eventually { events.values.contains { $0.what == .closed } })
    return try #require(events.values.first { $0.what == .closed })
  }

  @Test func theFaultsOfOneDeviceAreNotThoseOfAnother() throws {
    let other = try TemporaryFolder()
    var devices = [folder, other].map { Device(ownRoot: $0.path) }
    let proxies = devices.map { device in SocketProxy.shared(for: device) }
    #expect(proxies[0] !== proxies[1])
    // A thread of the handler has no current device, so the path decides.
    #expect(Device.owning(path: path) === devices[0])
    #expect(Device.owning(path: other.path + "/app") === devices[1])
    devices = []
    #expect(Device.owning(path: path) == nil)
  }

  @Test func bytesOfBothDirectionsArriveWholeAndInOrder() async throws {
    try apply("none")
    #expect(proxy.sentBytes == nil)
    let (handler, app) = try connect()
    _ = try await exchange(handler, app)
    #expect(proxy.sentBytes == 3_000_001)
  }

  /// Sends megabytes in both directions, and returns the event of the connection's close.
  private func exchange(_ handler: SocketEnd, _ app: SocketEnd) async throws -> SocketEvent {
    var generator = SeededGenerator(seed: 1)
    let (up, down) = (generator.bytes(count: 3_000_001), generator.bytes(count: 1_000_003))
    async let sent: Void = handler.send(up, thenEnd: true)
    async let answered: Void = app.send(down, thenEnd: true)
    async let received = app.receiveAll()
    async let answer = handler.receiveAll()
    try await sent
    try await answered
    #expect(try await received == up)
    #expect(try await answer == down)
    let end = try await closed()
    #expect(end.upstreamBytes == 3_000_001 && end.downstreamBytes == 1_000_003)
    return end
  }

  @Test func aSocketOfNoAppIsRefusedAsWithoutTheProxy() throws {
    try apply("none")
    let handler = try SocketEnd()
    #expect(try proxy.answer(handler.call(folder.path + "/none")) == .failed(.noSuchFileOrDirectory))
    app.stop()
    #expect(try proxy.answer(handler.call(path)) == .failed(.connectionRefused))
    #expect(events.values.isEmpty)
  }

  @Test func latencyDelaysTheBytesOfItsDirectionOnly() async throws {
    let (handler, app) = try connect(applying: "latency,latency=300")
    let start = ContinuousClock.now
    try await app.send([2])
    #expect(try await handler.receive() == [2])
    try await handler.send([1])
    #expect(try await app.receive() == [1])
    #expect(ContinuousClock.now - start >= .milliseconds(295))
    #expect(events.values.first?.faults == "latency,latency=300")
  }

  @Test func bandwidthHoldsBackTheSender() async throws {
    let (handler, app) = try connect(applying: "bandwidth,rate=1000")
    let start = ContinuousClock.now
    async let sent: Void = handler.send([UInt8](repeating: 1, count: 600_000), thenEnd: true)
    let received = try await app.receiveAll()
    try await sent
    #expect(received.count == 600_000)
    #expect(ContinuousClock.now - start >= .milliseconds(595))
  }

  @Test func aResetEndsTheConnectionOfBothSides() async throws {
    let (handler, app) = try connect(applying: "none")
    try await handler.send([1, 2])
    #expect(try await app.receive() == [1, 2])
    try apply("reset_peer")
    try await handler.send([3])
    #expect(await handler.receiveError() == ECONNRESET)
    #expect(try await app.receiveAll() == [])
    #expect(try await closed().cause == "reset_peer")
    let error = await #expect(throws: SocketEnd.Failure.self) { try await handler.send([4]) }
    #expect(error?.code == EPIPE)
  }

  @Test func aLimitCutsTheStream() async throws {
    let (handler, app) = try connect(applying: "limit_data,bytes=100000")
    let sent = Task { try await handler.send([UInt8](repeating: 7, count: 2_000_000)) }
    #expect(try await app.receiveAll() == [UInt8](repeating: 7, count: 100_000))
    await #expect(throws: SocketEnd.Failure.self) { try await sent.value }
    let end = try await closed()
    #expect(end.cause == "limit_data" && end.upstreamBytes == 100_000)
  }

  @Test func aTimeoutDropsTheBytesAndCloses() async throws {
    try apply("timeout,timeout=200")
    // The time runs from the connection on.
    let start = ContinuousClock.now
    let (handler, app) = try connect()
    // On an overloaded host, the connection may be closed before the send.
    _ = await Task { try await handler.send([1, 2, 3]) }.result
    #expect(try await app.receiveAll() == [])
    #expect(ContinuousClock.now - start >= .milliseconds(195))
    #expect(try await closed().upstreamBytes == 0)
  }

  @Test func aFaultConcernsConnectionsThatExistUntilItIsRemoved() async throws {
    let (handler, app) = try connect(applying: "none")
    try apply("latency,latency=60000")
    try apply("latency,latency=60000,stream=downstream")
    // No `await` here: while all other tests run, the main actor may resume a task only after the latency has passed.
    try handler.sendAtOnce([1])
    try app.sendAtOnce([2])
    #expect(holds { proxy.memory == 2 })
    #expect(app.isEmpty && handler.isEmpty)
    try apply("none")
    #expect(try await app.receive() == [1])
    #expect(try await handler.receive() == [2])
  }

  @Test func anAppThatLeavesIsSeenByTheHandlerAndTheReverse() async throws {
    let (handler, app) = try connect(applying: "latency,latency=100")
    try await handler.send([1, 2, 3])
    handler.close()
    #expect(try await app.receiveAll() == [1, 2, 3])
    #expect(try await closed().cause == "handler")
    let (second, other) = try connect()
    other.close()
    #expect(try await second.receiveAll() == [])
    let code = await second.errorOfSending()
    #expect(code == EPIPE || code == ECONNRESET)
    #expect(await eventually { events.values.last?.cause == "peer" })
  }

  @Test func toxicityAffectsTheSameConnectionsForTheSameSeed() async throws {
    func affected(_ proxy: SocketProxy) async throws -> [Bool] {
      let events = Recorder<SocketEvent>()
      try proxy.apply(try SocketFault(text: "latency,latency=1,toxicity=0.5,seed=4")) { events.add($0) }
      for _ in 0..<12 {
        let handler = try SocketEnd()
        #expect(try proxy.answer(handler.call(path)) == .connected)
        _ = try app.accept()
        handler.close()
      }
      #expect(await eventually { events.values.filter { $0.what == .connected }.count == 12 })
      return events.values.filter { $0.what == .connected }.sorted { $0.connection ?? 0 < $1.connection ?? 0 }
        .map { !$0.faults.isEmpty }
    }
    let first = try await affected(SocketProxy())
    #expect(Set(first).count == 2)
    #expect(try await affected(SocketProxy()) == first)
  }

  @Test func aFaultIsRefusedWhileThereIsAConnectionWithoutTheProxy() throws {
    let handler = try SocketEnd()
    let call = try handler.call(path)
    #expect(proxy.answer(call) == .connectDirectly && handler.connectDirectly(call) == 0)
    #expect(throws: EventRefusal.earlyConnection(path)) { try apply("latency,latency=1") }
    handler.close()
    try apply("latency,latency=1")
    try proxy.apply(SocketFault(text: "reset_peer"), needsConnection: true) { _ in }
  }

  @Test func aConnectionThatFailedIsNone() throws {
    app.stop()
    let handler = try SocketEnd()
    let call = try handler.call(path)
    #expect(proxy.answer(call) == .connectDirectly && handler.connectDirectly(call) == ECONNREFUSED)
    try apply("latency,latency=1")
  }

  @Test func aFaultIsRefusedBeforeTheFirstConnection() async throws {
    let fault = try SocketFault(text: "reset_peer")
    #expect(throws: EventRefusal.noConnection) {
      try proxy.apply(fault, needsConnection: true) { _ in }
    }
    try proxy.apply(nil, needsConnection: true) { _ in }
    let (handler, app) = try connect()
    try proxy.apply(fault, needsConnection: true) { [events] in events.add($0) }
    try await handler.send([1])
    #expect(await handler.receiveError() == ECONNRESET)
    withExtendedLifetime(app) {}
    // The handler may connect again.
    try proxy.apply(fault, needsConnection: true) { _ in }
  }

  // MARK: TCP

  private func connect(
    _ listener: Listener, _ family: Int32, waits: Bool = true
  ) async throws -> (handler: SocketEnd, app: SocketEnd) {
    let handler = try SocketEnd(family: family, waits: waits)
    #expect(try proxy.answer(handler.call(port: listener.port, family)) == .connected)
    handler.wait()
    return (handler, try listener.accept())
  }

  @Test(arguments: [(AF_INET, true), (AF_INET, false), (AF_INET6, true), (AF_INET6, false)])
  func bytesOverTCPArriveWholeAndInOrder(family: Int32, waits: Bool) async throws {
    let listener = try Listener(family: family)
    try apply("none")
    let (handler, app) = try await connect(listener, family, waits: waits)
    let end = try await exchange(handler, app)
    let host = family == AF_INET ? "127.0.0.1" : "[::1]"
    #expect(try end.path == "\(host):\(listener.port)")
  }

  @Test func aResetOverTCPIsOneForBothEnds() async throws {
    let listener = try Listener(family: AF_INET)
    try apply("none")
    let (handler, app) = try await connect(listener, AF_INET)
    try await handler.send([1, 2])
    #expect(try await app.receive() == [1, 2])
    try apply("reset_peer")
    try await handler.send([3])
    #expect(await handler.receiveError() == ECONNRESET)
    #expect(await app.receiveError() == ECONNRESET)
    #expect(try await closed().cause == "reset_peer")
  }

  @Test func aResetByTheOtherEndIsOneForTheHandler() async throws {
    let listener = try Listener(family: AF_INET)
    try apply("none")
    let (handler, app) = try await connect(listener, AF_INET)
    try await app.send([7])
    #expect(try await handler.receive() == [7])
    app.reset()
    #expect(await handler.receiveError() == ECONNRESET)
    #expect(try await closed().cause == "peer")
  }

  /// The call that fails consumes the socket's error, and the next call sees the end of the stream.
  @Test func aResetByTheOtherEndIsOneForAHandlerThatSends() async throws {
    let listener = try Listener(family: AF_INET)
    try apply("none")
    // Repeated, so that in some rounds the reset arrives while the proxy sends.
    for _ in 0..<20 {
      let (handler, app) = try await connect(listener, AF_INET)
      async let code = handler.errorOfSending()
      _ = try await app.receive()
      app.reset()
      #expect(await code == ECONNRESET)
    }
    #expect(await eventually { events.values.count { $0.cause == "peer" } == 20 })
  }

  @Test func aSlowConnectionGoesPastTheProxyWithAnEvent() throws {
    // A listener with a full backlog accepts no further connection.
    let listener = try Listener(family: AF_INET, backlog: 0)
    let port = try listener.port
    let ends = try (0..<4).map { _ in try SocketEnd(family: AF_INET, waits: false) }
    for end in ends.dropLast() { _ = try end.connectDirectly(end.call(port: port, AF_INET)) }
    let proxy = SocketProxy(waitLimit: .milliseconds(50))
    let fault = try SocketFault(text: "latency,latency=1")
    try proxy.apply(fault) { [events] in events.add($0) }
    let call = try ends[3].call(port: port, AF_INET)
    #expect(proxy.answer(call) == .connectDirectly)
    #expect(ends[3].connectDirectly(call) == EINPROGRESS)
    #expect(events.values == [SocketEvent(path: call.name, what: .direct, faults: "")])
    #expect(throws: EventRefusal.directConnection(call.name)) { try proxy.apply(fault) { _ in } }
  }

  @Test func aPortWithoutAnAppIsRefusedAsWithoutTheProxy() async throws {
    // The bound socket keeps the port from other tests.
    let unused = try Listener(family: AF_INET, backlog: nil)
    let port = try unused.port
    try apply("none")
    let waiting = try SocketEnd(family: AF_INET)
    #expect(try proxy.answer(waiting.call(port: port, AF_INET)) == .failed(.connectionRefused))
    // A non-blocking caller asks the socket for the result, so the system answers.
    let other = try SocketEnd(family: AF_INET, waits: false)
    let call = try other.call(port: port, AF_INET)
    #expect(proxy.answer(call) == .connectDirectly)
    let code = other.connectDirectly(call)
    #expect(code == ECONNREFUSED || code == EINPROGRESS)
    #expect(await eventually { code == ECONNREFUSED || other.pendingError == ECONNREFUSED })
    try apply("latency,latency=1")
    #expect(events.values.isEmpty)
  }

  @Test func aConnectionOverTCPFromBeforeTheProxyIsNamed() throws {
    let listener = try Listener(family: AF_INET)
    let handler = try SocketEnd(family: AF_INET)
    let call = try handler.call(port: listener.port, AF_INET)
    #expect(proxy.answer(call) == .connectDirectly && handler.connectDirectly(call) == 0)
    // The system answers a second call for a socket in use.
    #expect(proxy.answer(call) == .connectDirectly && handler.connectDirectly(call) == EISCONN)
    let path = try "127.0.0.1:\(listener.port)"
    #expect(throws: EventRefusal.earlyConnection(path)) { try apply("latency,latency=1") }
    handler.close()
    try apply("latency,latency=1")
  }

  @Test func theBytesOnTheirWayAreMemoryOfTheSystem() async throws {
    let (handler, app) = try connect(applying: "latency,latency=60000")
    try await handler.send([UInt8](repeating: 1, count: 1_000_000))
    #expect(await eventually { proxy.memory >= 1_000_000 })
    withExtendedLifetime(app) {}
  }
}
