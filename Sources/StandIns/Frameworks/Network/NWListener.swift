import CPlatform
import Dispatch
import Glibc
import Synchronization

/// A listener on a TCP port, or on the path of a Unix socket. Framers, TLS, UDP and Bonjour are not supported.
public final class NWListener: CustomDebugStringConvertible, Sendable {
  public enum State: Equatable, Sendable {
    case setup, waiting(NWError), ready, failed(NWError), cancelled
  }

  @available(*, unavailable, message: "The emulator announces no services: connect to a host and a port.")
  public var service: Service? {
    get { nil }
    set {}
  }
  public struct Service {
    public init(name: String? = nil, type: String, domain: String? = nil, txtRecord: Data? = nil) {}
  }

  public static let InfiniteConnectionLimit: Int = .max

  private struct Status: Sendable {
    var state = State.setup
    var stateHandler: (@Sendable (State) -> Void)?
    var connectionHandler: (@Sendable (NWConnection) -> Void)?
    var limit = NWListener.InfiniteConnectionLimit
    var port: NWEndpoint.Port?
    var queue: DispatchQueue?
  }

  public let parameters: NWParameters
  private let wanted: NWEndpoint.Port
  private let status = Mutex(Status())
  private let work = DispatchQueue(label: "NWListener", qos: .userInitiated)
  // Used only on the queue `work`.
  nonisolated(unsafe) private var source: (any DispatchSourceRead)?
  /// Entered while the socket is open.
  private let socket = DispatchGroup()

  public init(using parameters: NWParameters, on port: NWEndpoint.Port = .any) throws {
    guard !parameters.isSecure else {
      NSLog("%@", "NWListener: the emulator has no TLS: use .tcp")
      throw NWError.tls(-9848)
    }
    guard parameters.transport == .tcp else {
      NSLog("%@", "NWListener: the emulator has no listeners of UDP: use .tcp, or a socket")
      throw NWError.posix(.EPROTONOSUPPORT)
    }
    (self.parameters, wanted) = (parameters, port)
  }

  deinit { unsafe source?.cancel() }

  public var state: State { status.withLock(\.state) }
  /// The port; `nil` before the listener is ready, and for a Unix socket.
  public var port: NWEndpoint.Port? { status.withLock(\.port) }
  public var queue: DispatchQueue? { status.withLock(\.queue) }
  public var stateUpdateHandler: (@Sendable (State) -> Void)? {
    get { status.withLock(\.stateHandler) }
    set { status.withLock { $0.stateHandler = newValue } }
  }
  public var newConnectionHandler: (@Sendable (NWConnection) -> Void)? {
    get { status.withLock(\.connectionHandler) }
    set { status.withLock { $0.connectionHandler = newValue } }
  }
  public var newConnectionLimit: Int {
    get { status.withLock(\.limit) }
    set { status.withLock { $0.limit = newValue } }
  }

  public func start(queue: DispatchQueue) {
    let isFirst = status.withLock { status in
      guard status.queue == nil else { return false }
      status.queue = queue
      return true
    }
    guard isFirst else { return }
    work.async { [self] in
      do throws(NWError) { try listen() } catch { set(.failed(error)) }
    }
  }

  public func cancel() {
    work.async { [self] in
      guard state != .cancelled else { return }
      unsafe source?.cancel()
      unsafe source = nil
      // After that, the port is free.
      socket.notify(queue: work) { [self] in
        set(.cancelled)
        queue?.async { [self] in
          status.withLock { ($0.stateHandler, $0.connectionHandler) = (nil, nil) }
        }
      }
    }
  }

  private func listen() throws(NWError) {
    // It may have been cancelled already.
    guard state == .setup else { return }
    let descriptor = try bound()
    if Glibc.listen(descriptor, 128) != 0 {
      _ = Glibc.close(descriptor)
      throw .last()
    }
    let own = unsafe SocketEndpoint(filling: { unsafe getsockname(descriptor, $0, $1) == 0 })
    status.withLock { $0.port = own?.port.map(NWEndpoint.Port.init(integerLiteral:)) }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: work)
    source.setEventHandler { [weak self] in self?.accept(descriptor) }
    socket.enter()
    source.setCancelHandler { [socket] in
      _ = Glibc.close(descriptor)
      socket.leave()
    }
    unsafe self.source = source
    source.activate()
    set(.ready)
  }

  /// Returns a socket bound to the port or the path.
  private func bound() throws(NWError) -> Int32 {
    var failure = NWError.posix(.EADDRNOTAVAIL)
    for address in try addresses() {
      let type = SOCK_STREAM | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = Glibc.socket(address.family, type, 0)
      guard descriptor >= 0 else {
        failure = .last()
        continue
      }
      var on = Int32(1)
      // UNSAFE: the option's value is a local variable of its type.
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      // UNSAFE: the call reads the address.
      if unsafe address.withAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0 { return descriptor }
      failure = .last()
      _ = Glibc.close(descriptor)
    }
    throw failure
  }

  private func addresses() throws(NWError) -> [SocketEndpoint] {
    if let local = parameters.requiredLocalEndpoint {
      return try SocketEndpoint.resolve(local, isDatagram: false, isLocal: true)
    }
    // A socket for both IP versions; the second host is for systems without IPv6.
    let hosts: [NWEndpoint.Host] = parameters.acceptLocalOnly ? ["127.0.0.1"] : ["::", "0.0.0.0"]
    var addresses: [SocketEndpoint] = []
    for host in hosts {
      addresses += try SocketEndpoint.resolve(.hostPort(host: host, port: wanted), isDatagram: false)
    }
    return addresses
  }

  private func accept(_ descriptor: Int32) {
    while let (socket, peer) = nextConnection(descriptor) {
      let handler = status.withLock { status -> (@Sendable (NWConnection) -> Void)? in
        guard status.limit > 0, let handler = status.connectionHandler else { return nil }
        if status.limit != Self.InfiniteConnectionLimit { status.limit -= 1 }
        return handler
      }
      guard let handler, let queue else {
        _ = Glibc.close(socket)
        continue
      }
      let endpoint = peer?.endpoint ?? parameters.requiredLocalEndpoint ?? .unix(path: "")
      let connection = NWConnection(accepted: socket, from: endpoint, using: parameters)
      queue.async { handler(connection) }
    }
  }

  private func nextConnection(_ descriptor: Int32) -> (Int32, SocketEndpoint?)? {
    let socket = accept_connection(descriptor)
    guard socket >= 0 else {
      // The system has shut down the socket of an app that it suspended. This comes first, because a pause may change `errno`.
      if errno == EINVAL { fail(.posix(.ECONNABORTED)) }
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause() }
      return nil
    }
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    // UNSAFE: the call fills the address, whose size it is given.
    return (socket, unsafe SocketEndpoint(filling: { unsafe getpeername(socket, $0, $1) == 0 }))
  }

  private func fail(_ error: NWError) {
    unsafe source?.cancel()
    unsafe source = nil
    set(.failed(error))
  }

  /// Pauses after a failure to accept a connection for lack of descriptors or memory. Otherwise the source would report the
  /// connection again at once.
  private func pause() {
    nonisolated(unsafe) let source = unsafe source
    unsafe source?.suspend()
    // Also resumes a cancelled source. Its cancel handler closes the descriptor, and runs only after the source is resumed.
    work.asyncAfter(deadline: .now() + .milliseconds(100)) { unsafe source?.resume() }
  }

  private func set(_ state: State) {
    let (handler, queue) = status.withLock { status in
      status.state = state
      return (status.stateHandler, status.queue)
    }
    queue?.async { handler?(state) }
  }

  public var debugDescription: String { "[listener on \(port.map(\.debugDescription) ?? "no port")]" }
}
