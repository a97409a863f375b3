import Dispatch
import Glibc
import Synchronization

/// What accepts connections at a port, or at the path of a Unix socket. Models the class of Network, without framers, TLS and
/// Bonjour. Usable from any thread.
///
/// ```swift
/// let listener = try NWListener(using: .tcp, on: 8080)
/// listener.newConnectionHandler = { connection in connection.start(queue: .main) }
/// listener.start(queue: .main)
/// ```
public final class NWListener: CustomDebugStringConvertible, Sendable {
  /// The state of a listener.
  public enum State: Equatable, Sendable {
    /// Not started.
    case setup
    /// No network.
    case waiting(NWError)
    /// Accepting connections.
    case ready
    /// Ended by an error, such as a port that is in use.
    case failed(NWError)
    /// Cancelled.
    case cancelled
  }

  /// A service of Bonjour, which the stand-in does not announce.
  public struct Service: Equatable, Sendable {
    /// The name.
    public var name: String?
    /// The type.
    public var type: String
    /// The domain.
    public var domain: String?

    /// Creates a service.
    public init(name: String? = nil, type: String, domain: String? = nil, txtRecord: Data? = nil) {
      (self.name, self.type, self.domain) = (name, type, domain)
    }
  }

  /// No limit of connections.
  public static let InfiniteConnectionLimit: Int = .max

  private struct Status: Sendable {
    var state = State.setup
    var stateHandler: (@Sendable (State) -> Void)?
    var connectionHandler: (@Sendable (NWConnection) -> Void)?
    var limit = NWListener.InfiniteConnectionLimit
    var port: NWEndpoint.Port?
    var queue: DispatchQueue?
    var service: Service?
  }

  /// How the connections work.
  public let parameters: NWParameters
  private let wanted: NWEndpoint.Port
  private let status = Mutex(Status())
  private let work = DispatchQueue(label: "NWListener", qos: .userInitiated)
  // Used on the queue of the work only.
  nonisolated(unsafe) private var source: (any DispatchSourceRead)?
  /// Entered while the socket is open.
  private let socket = DispatchGroup()

  /// Creates a listener at a port.
  public init(using parameters: NWParameters, on port: NWEndpoint.Port = .any) throws {
    guard !parameters.isSecure else {
      NSLog("%@", "NWListener: the emulator has no TLS: use .tcp")
      throw NWError.tls(-9848)
    }
    (self.parameters, wanted) = (parameters, port)
  }

  deinit { unsafe source?.cancel() }

  /// The state.
  public var state: State { status.withLock(\.state) }
  /// The port; `nil` before the listener is ready, and for a Unix socket.
  public var port: NWEndpoint.Port? { status.withLock(\.port) }
  /// The queue of the handlers; `nil` before the start.
  public var queue: DispatchQueue? { status.withLock(\.queue) }
  /// Called with each new state.
  public var stateUpdateHandler: (@Sendable (State) -> Void)? {
    get { status.withLock(\.stateHandler) }
    set { status.withLock { $0.stateHandler = newValue } }
  }
  /// Called with each new connection, which it starts or cancels.
  public var newConnectionHandler: (@Sendable (NWConnection) -> Void)? {
    get { status.withLock(\.connectionHandler) }
    set { status.withLock { $0.connectionHandler = newValue } }
  }
  /// The connections that may still come.
  public var newConnectionLimit: Int {
    get { status.withLock(\.limit) }
    set { status.withLock { $0.limit = newValue } }
  }
  /// A service of Bonjour. Without effect.
  public var service: Service? {
    get { status.withLock(\.service) }
    set { status.withLock { $0.service = newValue } }
  }

  /// Accepts connections, and calls the handlers on a queue.
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

  /// Ends the listener; its connections go on.
  public func cancel() {
    work.async { [self] in
      guard state != .cancelled else { return }
      unsafe source?.cancel()
      unsafe source = nil
      // Then the port is free.
      socket.notify(queue: work) { [self] in
        set(.cancelled)
        queue?.async { [self] in
          status.withLock { ($0.stateHandler, $0.connectionHandler) = (nil, nil) }
        }
      }
    }
  }

  private var isDatagram: Bool { parameters.transport == .udp }

  private func listen() throws(NWError) {
    let (descriptor, address) = try bound()
    if !isDatagram, Glibc.listen(descriptor, 128) != 0 {
      _ = Glibc.close(descriptor)
      throw .last()
    }
    let own = unsafe SocketEndpoint(filling: { unsafe getsockname(descriptor, $0, $1) == 0 })
    status.withLock { $0.port = own?.port.map(NWEndpoint.Port.init(integerLiteral:)) }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: work)
    source.setEventHandler { [weak self] in self?.accept(descriptor, own ?? address) }
    socket.enter()
    source.setCancelHandler { [socket] in
      _ = Glibc.close(descriptor)
      socket.leave()
    }
    unsafe self.source = source
    source.activate()
    set(.ready)
  }

  /// A socket at the port or the path.
  private func bound() throws(NWError) -> (Int32, SocketEndpoint) {
    var failure = NWError.posix(.EADDRNOTAVAIL)
    for address in try addresses() {
      let type =
        (isDatagram ? SOCK_DGRAM : SOCK_STREAM) | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = Glibc.socket(address.family, type, 0)
      guard descriptor >= 0 else {
        failure = .last()
        continue
      }
      allowReuse(of: descriptor)
      // UNSAFE: the call reads the address.
      if unsafe address.withAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0 {
        return (descriptor, address)
      }
      failure = .last()
      _ = Glibc.close(descriptor)
    }
    throw failure
  }

  private func addresses() throws(NWError) -> [SocketEndpoint] {
    if let local = parameters.requiredLocalEndpoint {
      return try SocketEndpoint.resolve(local, isDatagram: isDatagram, isLocal: true)
    }
    // One of both versions of IP; the other for machines without version 6.
    let families = parameters.acceptLocalOnly ? [AF_INET] : [AF_INET6, AF_INET]
    return families.map {
      SocketEndpoint(family: $0, port: wanted.rawValue, isLoopback: parameters.acceptLocalOnly)
    }
  }

  private func allowReuse(of descriptor: Int32) {
    var on = Int32(1)
    // UNSAFE: the option's value is a local variable of its type.
    for option in [SO_REUSEADDR] + (isDatagram ? [SO_REUSEPORT] : []) {
      _ = unsafe Glibc.setsockopt(descriptor, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  private func accept(_ descriptor: Int32, _ own: SocketEndpoint) {
    while let (socket, peer, first) = isDatagram ? nextSender(descriptor, own) : nextConnection(descriptor) {
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
      let connection = NWConnection(accepted: socket, from: endpoint, using: parameters, first: first)
      queue.async { handler(connection) }
    }
  }

  private func nextConnection(_ descriptor: Int32) -> (Int32, SocketEndpoint?, [[UInt8]])? {
    var socket: Int32 = -1
    // UNSAFE: the call fills the address, whose size it is given.
    let peer = unsafe SocketEndpoint(filling: {
      socket = unsafe Glibc.accept(descriptor, $0, $1)
      return socket >= 0
    })
    guard socket >= 0 else {
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause() }
      return nil
    }
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    return (socket, peer, [])
  }

  /// Lets a connection wait that the process has no descriptor or memory for: the source would report it again at once.
  private func pause() {
    nonisolated(unsafe) let source = unsafe source
    unsafe source?.suspend()
    // Also when it has been cancelled: a source that is suspended cannot be cancelled for good.
    work.asyncAfter(deadline: .now() + .milliseconds(100)) { unsafe source?.resume() }
  }

  /// A packet of a sender without a connection: from now on the kernel passes its packets to a socket of its own.
  private func nextSender(_ descriptor: Int32, _ own: SocketEndpoint) -> (Int32, SocketEndpoint?, [[UInt8]])?
  {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var count = -1
    // UNSAFE: the call fills the array and the address at most.
    let peer = unsafe SocketEndpoint(filling: {
      count = unsafe recvfrom(descriptor, &bytes, 65_536, Int32(MSG_DONTWAIT), $0, $1)
      return count >= 0
    })
    guard let peer, count >= 0 else { return nil }
    let type = SOCK_DGRAM | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(own.family, type, 0)
    guard socket >= 0 else { return nil }
    allowReuse(of: socket)
    // UNSAFE: the calls read the addresses.
    guard unsafe own.withAddress({ unsafe Glibc.bind(socket, $0, $1) }) == 0,
      unsafe peer.withAddress({ unsafe Glibc.connect(socket, $0, $1) }) == 0
    else {
      _ = Glibc.close(socket)
      return nil
    }
    return (socket, peer, [Array(bytes.prefix(count))])
  }

  private func set(_ state: State) {
    let (handler, queue) = status.withLock { status in
      status.state = state
      return (status.stateHandler, status.queue)
    }
    queue?.async { handler?(state) }
  }

  /// The port as a text.
  public var debugDescription: String { "[listener on \(port.map(\.debugDescription) ?? "no port")]" }
}
