import TestSupport

@testable import HTTPServer

@Suite(.sharedMachine) struct HTTPServerTests {
  private let servers = TestServers()

  @Test func aConnectionServesOneRequestAfterTheOther() throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port, asking: "GET /a")
    #expect(client.gets("path /a body 0\n"))
    client.send(request("POST /b", port: server.port, fields: ["Content-Length: 2"], body: "hi"))
    #expect(client.gets("path /b body 2\n") && !client.hasEnded)
    #expect(client.text.contains("Content-Security-Policy: default-src 'none'"))
  }

  @Test func aPageWithStylesOfItsOwnMayUseThem() {
    func head(_ styles: String?) -> String {
      String(
        decoding: HTTPResponse(type: "text/html", body: .bytes([]), styles: styles).head(closes: true),
        as: UTF8.self)
    }
    #expect(head(nil).contains("style-src 'self';"))
    #expect(head("'unsafe-inline'").contains("style-src 'unsafe-inline';"))
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port)
    client.send((0..<50).map { request("GET /\($0)", port: server.port) }.joined())
    #expect(client.gets("body 0", times: 50))
    let paths = client.text.split(separator: "path /").dropFirst().map { $0.prefix { $0 != " " } }
    #expect(paths == (0..<50).map { "\($0)"[...] })
  }

  @Test func aRequestMayComeByteByByte() throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port)
    for byte in request("GET /slow", port: server.port).utf8 { client.send([byte]) }
    #expect(client.gets("path /slow body 0\n"))
  }

  @Test(arguments: [
    ["Host: example.com"], ["Host: 127.0.0.1"], ["Host: 127.0.0.1:1"], ["Host: localhost"],
    ["Host: [::1]:80"],
  ]) func anotherHostIsRefused(fields: [String]) throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port)
    client.send("GET / HTTP/1.1\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n")
    #expect(client.gets("403 Forbidden"))
  }

  @Test func requestsOfOtherSitesAreRefusedAndItsOwnAreNot() throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port)
    for origin in ["http://example.com", "null", "https://127.0.0.1:\(server.port)", "http://127.0.0.1"] {
      client.send(request("GET /", port: server.port, fields: ["Origin: \(origin)"]))
    }
    #expect(client.gets("403 Forbidden", times: 4))
    client.send(request("GET /", port: server.port, fields: ["Origin: http://127.0.0.1:\(server.port)"]))
    #expect(client.gets("200 OK"))
  }

  /// Browsers send `Sec-Fetch-Site` for images, scripts, streams and links. Such requests of other sites have no `Origin`.
  @Test(arguments: [
    ("same-origin", "200 OK"), ("none", "200 OK"), ("same-site", "403 Forbidden"),
    ("cross-site", "403 Forbidden"), ("cross-site, none", "403 Forbidden"), ("", "403 Forbidden"),
  ]) func aBrowserSaysWhoseRequestItIs(site: String, status: String) throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port, asking: "GET /", fields: ["Sec-Fetch-Site: \(site)"])
    #expect(client.gets(status))
  }

  /// A server that listens on all addresses would accept connections on each of these.
  @Test func onlyTheLoopbackAddressIsListenedOn() async throws {
    let server = try servers.serve()
    let folder = try TemporaryFolder()
    for (address, isServed) in [("127.0.0.1", true), ("127.0.0.2", false), ("::1", false)] {
      let connection = try await FinishedProgram(
        URL(filePath: "/usr/bin/env"),
        ["bash", "-c", #"exec 3<> "/dev/tcp/$0/$1""#, address, "\(server.port)"], in: folder.path)
      #expect((connection.exitCode == 0) == isServed, "\(address): \(connection.errors)")
    }
  }

  @Test func aRefusedRequestEndsTheConnectionAfterItsAnswer() throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port)
    client.send("nonsense\r\n\r\n" + String(repeating: "more\r\n", count: 10_000))
    #expect(client.gets("400 Bad Request") && client.isClosed())
  }

  @Test func connectionCloseEndsTheConnection() throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port, asking: "GET /", fields: ["Connection: close"])
    #expect(client.gets("Connection: close") && client.isClosed())
  }

  @Test func twoHundredConnectionsAreServedAndOneMoreTakesThePlaceOfTheOneThatWaitedLongest() throws {
    var limits = HTTPLimits()
    limits.connectionCount = 200
    let clock = TestClock()
    let server = try servers.serve(limits, clock: clock)
    let clients = try (0..<200).map { _ in try HTTPTestClient(server.port, asking: "GET /all") }
    #expect(clients.allSatisfy { $0.gets("path /all") })
    clock.advance(by: .seconds(1))
    for client in [clients[..<7], clients[8...]].joined() {
      client.send(request("GET /again", port: server.port))
      #expect(client.gets("path /again"))
    }
    let another = try HTTPTestClient(server.port, asking: "GET /another")
    #expect(another.gets("path /another"))
    #expect(clients[7].isClosed())
    for client in [clients[0], clients[199]] {
      client.send(request("GET /third", port: server.port))
      #expect(client.gets("path /third"))
    }
  }

  @Test func aClientThatSendsForeverIsRefused() throws {
    let server = try servers.serve()
    let client = try HTTPTestClient(server.port)
    client.send("GET / HTTP/1.1\r\nHost: a\r\n")
    let piece = Array(String(repeating: "A: b\r\n", count: 1000).utf8)
    #expect(
      holds {
        client.send(piece)
        return client.text.contains("431 Request Header Fields Too Large")
      })
    #expect(
      holds {
        client.send(piece)
        client.receive()
        return client.hasEnded
      })
    let other = try HTTPTestClient(server.port, asking: "GET /alive")
    #expect(other.gets("path /alive"))
  }

  @Test func anIncompleteRequestAndAnIdleConnectionRunOutOfTime() throws {
    let clock = TestClock()
    let server = try servers.serve(clock: clock)
    let (slow, idle) = (try HTTPTestClient(server.port), try HTTPTestClient(server.port))
    idle.send(request("GET /", port: server.port))
    #expect(idle.gets("path /"))
    slow.send("GET / HTTP/1.1\r\n")
    #expect(
      holds {
        clock.advance(by: .seconds(1))
        server.wake()
        return slow.text.contains("408 Request Timeout")
      })
    #expect(!idle.hasEnded)
    #expect(
      holds {
        clock.advance(by: .seconds(1))
        server.wake()
        idle.receive()
        return idle.hasEnded
      })
  }

  @Test func aThousandHostileRequestsLeaveTheServerAlive() throws {
    var limits = HTTPLimits()
    limits.requestTime = .milliseconds(50)
    limits.lingerTime = .milliseconds(50)
    let server = try servers.serve(limits, clock: SystemClock())
    let port = server.port
    let parts = [
      "GET / HTTP/1.1\r\n", "Host: 127.0.0.1:\(port)\r\n", "\r\n", "Content-Length: 70000\r\n", "\0\0", "\r",
      "\n", "GET", ": ", "Content-Length: 3\r\n", String(repeating: "x", count: 5000),
      "POST /../../etc HTTP/1.1\r\n",
      "Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n", "\u{ff}", "Origin: null\r\n",
    ]
    var random = SeededGenerator(seed: 7)
    for _ in 0..<1000 {
      let client = try HTTPTestClient(port)
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        client.send(parts[Int.random(in: 0..<parts.count, using: &random)])
      }
      if random.once(in: 10) { client.receive() }
    }
    let client = try HTTPTestClient(port, asking: "GET /alive")
    #expect(client.gets("path /alive"))
  }

  /// iOS closes the sockets of an app that it suspends.
  ///
  /// A port that the system gave is free after the end of its socket, so another test can get it. Then this test takes another
  /// server.
  @Test func aServerWhoseSocketWasEndedListensAgainAtItsPort() throws {
    let clock = SystemClock()
    let given = try serveAtAGivenPort(clock)
    for _ in 1...3 { #expect(try answersAgain(given, "given")) }
    let text = UUID().uuidString
    let answers = try (1...10).contains { _ in
      let server = try servers.serve(clock: clock) { _ in HTTPResponse(.ok, text) }
      return try (1...3).allSatisfy { _ in try answersAgain(server, text) }
    }
    #expect(answers)
  }

  /// Ends the socket of a server, and returns whether the server answers at its port then.
  private func answersAgain(_ server: HTTPServer, _ text: String) throws -> Bool {
    shutdown(server.listener.rawValue, Int32(SHUT_RDWR))
    var client: HTTPTestClient?
    let isConnected = holds {
      client = try? HTTPTestClient(server.port)
      return client != nil
    }
    guard isConnected, let client else { return false }
    client.send(request("GET /again", port: server.port))
    return client.gets("200 OK") && client.gets(text)
  }

  /// Serves at a port that the system has just given. In the meantime another test may have got the port, too.
  private func serveAtAGivenPort(_ clock: SystemClock) throws -> HTTPServer {
    for _ in 1...10 {
      // The port is free again at the end of this line.
      let port = try System.port(of: try System.listen(port: 0))
      do { return try servers.serve(port: port, clock: clock) { _ in HTTPResponse(.ok, "given") } } catch {
        guard (error as? FileError)?.code == EADDRINUSE else { throw error }
      }
    }
    throw FileError(.busy, "each port")
  }

  @Test(.needs(.curl)) func curlIsServed() throws {
    let server = try servers.serve()
    let process = Process()
    let pipe = ProcessLauncher.makePipe()
    process.executableURL = try OptionalTool.curl.required()
    process.arguments = [
      "-sS", server.address + "one", "-d", "body", "--next", "-sS", server.address + "two",
    ]
    process.standardOutput = pipe
    try ProcessLauncher.run(process)
    let output = try #require(try pipe.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == "path /one body 4\npath /two body 0\n")
  }
}
