import Network
import TestSupport

/// Records the reports of connections and listeners, in order.
private final class Reports: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock(\.self) }
}

@Suite struct NWConnectionTests {
  private let queue = DispatchQueue(label: "test")

  /// Starts a listener that echoes the data of each connection until the end of the stream.
  private func echo(_ parameters: NWParameters, at port: NWEndpoint.Port = .any) async throws -> NWListener {
    let listener = try NWListener(using: parameters, on: port)
    listener.newConnectionHandler = { [queue] connection in
      @Sendable func answer() {
        connection.receive(minimumIncompleteLength: 1, maximumLength: 65_536) { data, _, isComplete, error in
          if let data { connection.send(content: data, completion: .idempotent) }
          if parameters === listener.parameters, error == nil, data != nil || !isComplete { return answer() }
          connection.send(content: nil, contentContext: .finalMessage, completion: .contentProcessed { _ in })
        }
      }
      connection.start(queue: queue)
      answer()
    }
    let state = try await started(listener)
    #expect(state == .ready)
    return listener
  }

  @Test func aBrowserStartsAndFindsNothing() {
    let browser = NWBrowser(for: .bonjour(type: "_http._tcp", domain: nil), using: .tcp)
    let reports = Reports()
    browser.stateUpdateHandler = { reports.add("\($0)") }
    browser.browseResultsChangedHandler = { results, _ in reports.add("\(results)") }
    #expect(browser.state == .setup)
    browser.start(queue: queue)
    browser.start(queue: queue)
    queue.sync {}
    browser.cancel()
    queue.sync {}
    browser.start(queue: queue)
    #expect(browser.browseResults.isEmpty && browser.state == .cancelled)
    queue.sync {}
    #expect(reports.all == ["ready", "cancelled"])
  }

  private func started(_ listener: NWListener) async throws -> NWListener.State {
    await withCheckedContinuation { continuation in
      listener.stateUpdateHandler = { state in
        guard state != .cancelled else { return }
        listener.stateUpdateHandler = nil
        continuation.resume(returning: state)
      }
      listener.start(queue: queue)
    }
  }

  /// Starts a connection, and returns its first state after `preparing`.
  private func started(_ connection: NWConnection, _ reports: Reports = Reports()) async -> NWConnection.State
  {
    await withCheckedContinuation { continuation in
      let isFirst = Mutex(true)
      connection.stateUpdateHandler = { state in
        reports.add("\(state)")
        guard state != .preparing, isFirst.withLock({ $0.exchange(false) }) else { return }
        continuation.resume(returning: state)
      }
      connection.start(queue: queue)
    }
  }

  private func send(_ data: Data?, _ connection: NWConnection, isFinal: Bool = false) async -> NWError? {
    await withCheckedContinuation { continuation in
      connection.send(
        content: data, contentContext: isFinal ? .finalMessage : .defaultMessage,
        completion: .contentProcessed { continuation.resume(returning: $0) })
    }
  }

  private func receive(_ connection: NWConnection, _ count: Int) async -> (Data?, Bool, NWError?) {
    await withCheckedContinuation { continuation in
      connection.receive(minimumIncompleteLength: count, maximumLength: count) { data, _, isComplete, error in
        continuation.resume(returning: (data, isComplete, error))
      }
    }
  }

  private func exchange(_ connection: NWConnection) async throws {
    let reports = Reports()
    let early = Mutex<NWError?>(nil)
    connection.send(
      content: Data("early ".utf8), completion: .contentProcessed { error in early.withLock { $0 = error } })
    try #require(await started(connection, reports) == .ready)
    #expect(reports.all == ["preparing", "ready"])
    let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    async let sent = send(bytes, connection)
    let first = await receive(connection, 6)
    #expect(first.0 == Data("early ".utf8) && !first.1 && first.2 == nil)
    let rest = await receive(connection, bytes.count)
    #expect(rest.0 == bytes)
    #expect(await sent == nil && early.withLock(\.self) == nil)
    #expect(await send(nil, connection, isFinal: true) == nil)
    let end = await receive(connection, 10)
    #expect(end.0 == nil && end.1 && end.2 == nil)
    connection.cancel()
    #expect(await eventually { reports.all.last == "cancelled" })
    #expect(await send(Data([1]), connection) == .posix(.ECANCELED))
  }

  @Test func bytesGoBothWaysOverTCP() async throws {
    let listener = try await echo(.tcp)
    let port = try #require(listener.port)
    try await exchange(NWConnection(host: "127.0.0.1", port: port, using: .tcp))
    try await exchange(NWConnection(to: .hostPort(host: "localhost", port: port), using: .tcp))
    listener.cancel()
    #expect(await eventually { listener.state == .cancelled })
  }

  @Test func bytesGoBothWaysOverAUnixSocket() async throws {
    let folder = try TemporaryFolder()
    let parameters = NWParameters.tcp
    parameters.requiredLocalEndpoint = .unix(path: folder("socket"))
    let listener = try await echo(parameters)
    #expect(listener.port == nil)
    try await exchange(NWConnection(to: .unix(path: folder("socket")), using: .tcp))
    listener.cancel()
  }

  @Test func packetsKeepTheirBounds() async throws {
    let echo = try #require(DatagramEcho(on: queue))
    let connections = (0..<2).map { _ in NWConnection(host: "127.0.0.1", port: echo.port, using: .udp) }
    for connection in connections { #expect(await started(connection) == .ready) }
    for round in 0..<3 {
      for (index, connection) in connections.enumerated() {
        let packet = Data(repeating: UInt8(10 * round + index), count: 1000 + round)
        #expect(await send(packet, connection) == nil)
        let answer = await withCheckedContinuation { continuation in
          connection.receiveMessage { data, _, isComplete, _ in
            continuation.resume(returning: (data, isComplete))
          }
        }
        #expect(answer.0 == packet && answer.1)
      }
    }
    for connection in connections { connection.cancel() }
    echo.cancel()
    #expect(throws: NWError.posix(.EPROTONOSUPPORT)) { try NWListener(using: .udp) }
  }

  /// A client may ignore content that arrives before the state `ready`.
  @Test func aConnectionIsReadyBeforeItsFirstContent() async throws {
    let listener = try NWListener(using: .tcp, on: .any)
    let answers = Reports()
    listener.newConnectionHandler = { [queue] connection in
      // The content is requested before the start, as in the client below.
      connection.receive(minimumIncompleteLength: 1, maximumLength: 10) { data, _, _, _ in
        answers.add("received")
      }
      connection.stateUpdateHandler = { answers.add("\($0)") }
      connection.start(queue: queue)
      connection.send(
        content: Data([1]), contentContext: .finalMessage, completion: .contentProcessed { _ in })
    }
    #expect(try await started(listener) == .ready)
    for _ in 0..<50 {
      let reports = Reports()
      let connection = NWConnection(host: "127.0.0.1", port: try #require(listener.port), using: .tcp)
      connection.stateUpdateHandler = { reports.add("\($0)") }
      connection.receive(minimumIncompleteLength: 1, maximumLength: 10) { _, _, _, _ in
        reports.add("received")
      }
      connection.send(content: Data([1]), completion: .contentProcessed { _ in reports.add("sent") })
      connection.start(queue: queue)
      #expect(await eventually { reports.all.count == 4 })
      #expect(reports.all.prefix(2) == ["preparing", "ready"])
      connection.cancel()
    }
    #expect(await eventually { answers.all.count { $0 == "received" } == 50 })
    let received = try #require(answers.all.firstIndex(of: "received"))
    #expect(try #require(answers.all.firstIndex(of: "ready")) < received)
    listener.cancel()
  }

  /// In a separate process, without the threads of other tests.
  @Test func manyConnectionsShareThreads() async throws {
    await #expect(processExitsWith: .success) {
      let tests = NWConnectionTests()
      let threadCount: @Sendable () throws -> Int = {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
      }
      let listener = try await tests.echo(.tcp)
      let port = try #require(listener.port)
      let connections = (0..<200).map { _ in NWConnection(host: "127.0.0.1", port: port, using: .tcp) }
      let earlier = try threadCount()
      for connection in connections { connection.start(queue: tests.queue) }
      var most = earlier
      #expect(
        await eventually {
          most = max(most, (try? threadCount()) ?? 0)
          return connections.allSatisfy { $0.state == .ready }
        })
      #expect(most < earlier + 100)
      listener.cancel()
    }
  }

  @Test func aZeroInAnAddressIsRefused() async throws {
    #expect(IPv4Address("127.0.0.1\0x") == nil && IPv6Address("::1\0") == nil)
    let host = NWEndpoint.Host("127.0.0.1\0x")
    #expect(host == .name("127.0.0.1\0x", nil))
    let listener = try await echo(.tcp)
    let connection = NWConnection(host: host, port: try #require(listener.port), using: .tcp)
    #expect(await started(connection) == .waiting(.dns(-65_554)))
    connection.cancel()
    let folder = try TemporaryFolder()
    let local = NWConnection(to: .unix(path: folder("socket") + "\0x"), using: .tcp)
    #expect(await started(local) == .waiting(.posix(.EINVAL)))
    local.cancel()
    listener.cancel()
  }

  @Test func aRefusedConnectionWaitsForARestart() async throws {
    // The bound socket keeps the port from other tests.
    let unused = try #require(BoundSocket(SOCK_STREAM))
    let connection = NWConnection(host: "127.0.0.1", port: unused.port, using: .tcp)
    #expect(await started(connection) == .waiting(.posix(.ECONNREFUSED)))
    let error = NWError.posix(.ECONNREFUSED)
    #expect((error as NSError).code == 61)
    #expect(error.debugDescription == "POSIXErrorCode(rawValue: 61): Connection refused")
    #expect("\(NWError.dns(-65_554))" == "-65554: NoSuchRecord")
    #expect(
      (NWError.posix(.ETIMEDOUT) as NSError).localizedDescription
        == "The operation couldn’t be completed. (Network.NWError error 60 - Operation timed out)")
    let listener = try await echo(.tcp, at: unused.port)
    connection.restart()
    #expect(await eventually { connection.state == .ready })
    listener.cancel()
    close(unused.descriptor)
    connection.cancel()
    let missing = NWConnection(to: .unix(path: "/nonexistent/socket"), using: .tcp)
    #expect(await started(missing) == .waiting(.posix(.ENOENT)))
    let long = NWConnection(to: .unix(path: "/" + String(repeating: "x", count: 110)), using: .tcp)
    #expect(await started(long) == .waiting(.posix(.ENAMETOOLONG)))
  }

  @Test func aListenerThatWasCancelledDoesNotStart() async throws {
    let listener = try NWListener(using: .tcp)
    let reports = Reports()
    listener.stateUpdateHandler = { reports.add("\($0)") }
    listener.cancel()
    #expect(await eventually { listener.state == .cancelled })
    listener.start(queue: queue)
    let other = try await echo(.tcp)
    #expect(listener.state == .cancelled && listener.port == nil && reports.all == [])
    other.cancel()
  }

  /// The CPU time per byte of a send of 64 MiB is about the same as of 4 MiB, and the time per send of 60,000 sends about the
  /// same as of 2,000. If a send took quadratic time, the large cases would take 20 times as long, and more.
  ///
  /// In a separate process, without the CPU time of other tests.
  @Test func theTimeOfASendGrowsWithItsSizeOnly() async throws {
    await #expect(processExitsWith: .success) { try await NWConnectionTests().expectLinearSends() }
  }

  private func expectLinearSends() async throws {
    let listener = try NWListener(using: .tcp)
    listener.newConnectionHandler = { [queue] connection in
      @Sendable func drain() {
        connection.receive(minimumIncompleteLength: 1, maximumLength: 1 << 20) { _, _, isComplete, error in
          if !isComplete, error == nil { return drain() }
          connection.send(content: nil, contentContext: .finalMessage, completion: .idempotent)
        }
      }
      connection.start(queue: queue)
      drain()
    }
    #expect(try await started(listener) == .ready)
    func time(_ pieces: [Int]) async throws -> Int {
      let connection = NWConnection(host: "127.0.0.1", port: try #require(listener.port), using: .tcp)
      #expect(await started(connection) == .ready)
      let start = clock()
      for piece in pieces { connection.send(content: Data(count: piece), completion: .idempotent) }
      _ = await send(nil, connection, isFinal: true)
      #expect(await receive(connection, 1).1)
      connection.cancel()
      return clock() - start
    }
    let small = try await time([4 << 20]), large = try await time([64 << 20])
    #expect(large < small * (16 * 6), "\(large), \(small)")
    let few = try await time(Array(repeating: 1, count: 2000))
    let many = try await time(Array(repeating: 1, count: 60_000))
    #expect(many < few * (30 * 6), "\(many), \(few)")
    listener.cancel()
  }

  @Test func aPortInUseFails() async throws {
    let listener = try await echo(.tcp)
    let second = try NWListener(using: .tcp, on: try #require(listener.port))
    #expect(try await started(second) == .failed(.posix(.EADDRINUSE)))
    listener.cancel()
  }

  @Test func withoutTLSAConnectionFails() async throws {
    let options = NWProtocolTLS.Options()
    // The check of a certificate in an app that trusts one certificate.
    sec_protocol_options_set_verify_block(
      options.securityProtocolOptions,
      { _, trust, complete in
        // UNSAFE: the reference is released once.
        let certificates = SecTrustCopyCertificateChain(unsafe sec_trust_copy_ref(trust).takeRetainedValue())
        complete((certificates as? [SecCertificate])?.first.map { SecCertificateCopyData($0) } == Data([1]))
        Issue.record("the peer has no certificate")
      }, queue)
    let connection = NWConnection(host: "127.0.0.1", port: 443, using: NWParameters(tls: options))
    #expect(await started(connection) == .failed(.tls(-9848)))
    #expect(throws: NWError.self) { try NWListener(using: .tls) }
  }

  @Test func anEndOfTheOtherSideIsReported() async throws {
    let accepted = Mutex<NWConnection?>(nil)
    let listener = try NWListener(using: .tcp)
    listener.newConnectionHandler = { [queue] connection in
      connection.start(queue: queue)
      accepted.withLock { $0 = connection }
    }
    #expect(try await started(listener) == .ready)
    let connection = NWConnection(host: "::1", port: try #require(listener.port), using: .tcp)
    #expect(await started(connection) == .ready)
    #expect(await eventually { accepted.withLock { $0?.state == .ready } })
    let pending = Task { await receive(connection, 100) }
    accepted.withLock { $0?.cancel() }
    let end = await pending.value
    #expect(end.0 == nil && end.1 && connection.state == .ready)
    // The peer is closed, and answers data with a reset.
    let hasFailed = await eventually {
      connection.send(content: Data([1]), completion: .idempotent)
      if case .failed = connection.state { return true }
      return false
    }
    #expect(hasFailed)
    #expect(await receive(connection, 1).2 != nil)
    connection.cancel()
    listener.cancel()
  }

  @Test func endpointsAreReadFromTheirTexts() {
    let hosts = ["10.0.0.1", "::1", "example.com"].map { NWEndpoint.Host($0) }
    #expect(hosts == [.ipv4(IPv4Address("10.0.0.1")!), .ipv6(.loopback), .name("example.com", nil)])
    let ports = ["8080", "https", "x"].map { NWEndpoint.Port($0) }
    #expect(ports == [8080, .https, nil])
    #expect("\(NWEndpoint.hostPort(host: "10.0.0.1", port: 80))".contains("10.0.0.1"))
    #expect(NWEndpoint.hostPort(host: "::1", port: 80).debugDescription == "::1:80")
  }

  @Test func thePathIsWiFi() async {
    let monitor = NWPathMonitor()
    let path = await withCheckedContinuation { continuation in
      monitor.pathUpdateHandler = { continuation.resume(returning: $0) }
      monitor.start(queue: queue)
    }
    #expect(path.status == .satisfied && path.usesInterfaceType(.wifi) && !path.isExpensive)
    monitor.cancel()
  }
}

/// A socket at a free port of the loopback address.
private struct BoundSocket {
  let descriptor: Int32
  let port: NWEndpoint.Port

  init?(_ type: Int32) {
    let descriptor = socket(AF_INET, type | Int32(SOCK_CLOEXEC.rawValue), 0)
    var on = Int32(1)
    // A listener with this option may use the port, too.
    // UNSAFE: the option's value is a local variable of its type.
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // UNSAFE: the calls read and fill the address within the stated size.
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { return nil }
    (self.descriptor, port) = (
      descriptor, NWEndpoint.Port(integerLiteral: UInt16(bigEndian: address.sin_port))
    )
  }
}

/// A UDP socket that echoes each packet.
private final class DatagramEcho {
  let port: NWEndpoint.Port
  private let source: any DispatchSourceRead

  init?(on queue: DispatchQueue) {
    guard let socket = BoundSocket(SOCK_DGRAM) else { return nil }
    let descriptor = socket.descriptor
    port = socket.port
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { Self.answer(descriptor) }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  func cancel() { source.cancel() }

  private static func answer(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var (peer, size) = (sockaddr(), socklen_t(MemoryLayout<sockaddr>.size))
    // UNSAFE: the calls stay within the array and the address.
    let count = unsafe recvfrom(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT), &peer, &size)
    guard count >= 0 else { return }
    _ = unsafe sendto(descriptor, bytes, count, 0, &peer, size)
  }
}

extension Bool {
  /// Sets a new value and returns the old one.
  fileprivate mutating func exchange(_ new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}
