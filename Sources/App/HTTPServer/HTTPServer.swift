import Foundation
import Platform
import Synchronization

/// An HTTP/1.1 server on the loopback address. It uses one thread.
///
/// ```swift
/// let server = try HTTPServer(port: 0) { request in
/// request.path == "/" ? HTTPResponse(.ok, "hello") : HTTPResponse(.notFound, "There is no such page.")
/// }
/// print(server.address)
/// ```
/// Requests of other sites are rejected before the handler. `Host` must be the server's own name and port. If `Origin` and
/// `Sec-Fetch-Site` are present, they must name the same origin, or no origin (for an address that a person typed). So a name
/// that is rebound to the loopback address reaches nothing, and neither does an image or a script in a page of another origin.
package final class HTTPServer: Sendable {
  /// Answers a request on the server's thread. Use an ``HTTPBodyStream`` for an answer that takes long.
  package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  /// The port; chosen by the system if 0 was requested.
  package let port: UInt16
  let listener: FileDescriptor
  let limits: HTTPLimits
  let clock: any MonotonicClock
  let handler: Handler
  /// Signaled by ``wake()`` and ``close()``.
  let wakeUp: FileDescriptor
  private let openState = Mutex(true)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Listens on a port of 127.0.0.1 (0: any free port) until ``close()``.
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
    // Many answers with images may wait for slow clients. Once they are sent, their memory must not stay with this process.
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

  /// The address of the start page.
  package var address: String { "http://127.0.0.1:\(port)/" }

  /// Whether ``close()`` has not been called yet.
  var isOpen: Bool { openState.withLock { $0 } }

  /// Asks every waiting stream for its next piece. Can be called on any thread.
  package func wake() { System.signal(wakeUp) }

  /// Closes all connections, and returns once the thread has ended. The port becomes free when the server is released.
  package func close() {
    let wasOpen = openState.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    wake()
    hasEnded.wait()
  }

  /// Returns the handler's answer, or a rejection.
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let host = request.fields["host"]?.lowercased() ?? ""
    guard ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host) else {
      return HTTPResponse(.forbidden, "The host is not this server; open \(address).")
    }
    // A page on another port of this host is same-site, but of another origin.
    let isOwn = ["same-origin", "none", nil].contains(request.fields["sec-fetch-site"])
    guard isOwn, ["http://\(host)", nil].contains(request.fields["origin"]?.lowercased()) else {
      return HTTPResponse(.forbidden, "Requests of other sites are refused; type the address \(address).")
    }
    return handler(request)
  }
}
