import HTTPServer
import TestSupport

/// Servers whose timeouts expire only if a test advances the clock, or passes another one.
final class TestServers {
  private var servers: [HTTPServer] = []

  deinit { for server in servers { server.close() } }

  func serve(
    _ limits: HTTPLimits = HTTPLimits(), port: UInt16 = 0, clock: any MonotonicClock = TestClock(),
    _ handler: @escaping HTTPServer.Handler = { HTTPResponse(.ok, "path \($0.path) body \($0.body.count)") }
  ) throws -> HTTPServer {
    let server = try HTTPServer(port: port, limits: limits, clock: clock, handler: handler)
    servers.append(server)
    return server
  }
}
