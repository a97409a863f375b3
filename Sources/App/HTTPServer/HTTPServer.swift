import Foundation
import Platform
import Synchronization

/// A server of HTTP/1.1 at the loopback address, on one thread.
///
/// ```swift
/// let server = try HTTPServer(port: 0) { request in
///   request.path == "/" ? HTTPResponse(.ok, "hello") : HTTPResponse(.notFound, "There is no such page.")
/// }
/// print(server.address)
/// ```
/// Requests of other sites are refused before the handler: `Host` must be the server's own name and port, and `Origin` and
/// `Sec-Fetch-Site`, if they are present, must name the same or, for an address that a person typed, none. So a name that is
/// rebound to the loopback address reaches nothing, and neither does an image or a script in a page of another origin.
package final class HTTPServer: Sendable {
  /// Answers a request, on the server's thread. What takes long is answered by an ``HTTPBodyStream``.
  package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  /// The port, which the system picked if 0 was asked for.
  package let port: UInt16
  let listener: FileDescriptor
  let limits: HTTPLimits
  let clock: any MonotonicClock
  let handler: Handler
  /// Signalled by ``wake()`` and ``close()``.
  let wakeUp: FileDescriptor
  private let openState = Mutex(true)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Listens at a port of 127.0.0.1; 0 picks a free one. Runs until ``close()``.
  package init(
    port: UInt16, limits: HTTPLimits = HTTPLimits(), clock: any MonotonicClock = SystemClock(),
    handler: @escaping Handler
  ) throws(FileError) {
    listener = try System.listen(port: port)
    self.port = try System.port(of: listener)
    wakeUp = try System.makeEventCounter()
    self.limits = limits
    self.clock = clock
    self.handler = handler
    // Answers with pictures wait for slow clients, and then are released together.
    ProcessResources.returnFreedBlocks()
    let thread = Thread { [self] in
      var loop = HTTPLoop(of: self)
      while isOpen { loop.turn() }
      loop.closeAll()
      hasEnded.signal()
    }
    thread.name = "HTTP server"
    thread.start()
  }

  /// The address of the first page.
  package var address: String { "http://127.0.0.1:\(port)/" }

  /// Whether ``close()`` was not called yet.
  var isOpen: Bool { openState.withLock { $0 } }

  /// Asks every stream that waits for its next piece. May be called on any thread.
  package func wake() { System.signal(wakeUp) }

  /// Closes all connections and returns when the thread has ended. The port is free when the server is released.
  package func close() {
    let wasOpen = openState.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    wake()
    hasEnded.wait()
  }

  /// The answer to a request: that of the handler, or a refusal.
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let host = request.fields["host"]?.lowercased() ?? ""
    guard ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host) else {
      return HTTPResponse(.forbidden, "The host is not this server; open \(address).")
    }
    // A page at another port of this machine is of the same site, but of another origin.
    let isOwn = ["same-origin", "none", nil].contains(request.fields["sec-fetch-site"])
    guard isOwn, ["http://\(host)", nil].contains(request.fields["origin"]?.lowercased()) else {
      return HTTPResponse(.forbidden, "Requests of other sites are refused; type the address \(address).")
    }
    return handler(request)
  }
}

/// What a server accepts from its clients at most.
package struct HTTPLimits: Sendable {
  /// The bytes of a request line and its header fields.
  package var headerByteCount = 16 << 10
  /// The header fields of a request.
  package var fieldCount = 100
  /// The bytes of a request's body.
  package var bodyByteCount = 64 << 10
  /// The open connections. A further one takes the place of the one that has waited longest.
  package var connectionCount = 256
  /// The time from the first byte of a request to its last.
  package var requestTime = Duration.seconds(5)
  /// The time without a request on an open connection.
  package var idleTime = Duration.seconds(30)
  /// The bytes that are kept for all clients together, with the piece that is being made. Above it, the connection whose
  /// answer piece is the oldest is closed; a single connection may need more.
  package var outputByteCount = 256 << 20
  /// The time in which a client takes an answer or a piece of it.
  package var sendTime = Duration.seconds(30)
  /// The time in which the rest of a refused request is read and dropped, so that the client gets the answer.
  package var lingerTime = Duration.seconds(1)

  package init() {}
}
