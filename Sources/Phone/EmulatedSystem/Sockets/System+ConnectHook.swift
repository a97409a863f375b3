import CPhone
import Glibc
import Platform
import Synchronization

// A hook in `connect`, for a proxy between the code of this process and the sockets of other processes. The functions of
// `System` bypass the hook.
extension System {
  /// A call of `connect` for a stream socket: a local socket with a path, or a TCP socket.
  struct ConnectCall: Sendable {
    let descriptor: Int32
    let address: SocketAddress
    /// Whether the socket is blocking.
    let waits: Bool

    /// The path as the caller passed it (it may be relative), or host and port.
    var name: String { address.name }

    /// Whether the caller learns the result of the call later, by polling the socket.
    var isAnsweredLater: Bool { !waits && !address.isLocal }
  }

  enum ConnectAnswer: Equatable, Sendable { case connectDirectly, connected, failed(Errno) }

  private static let connectHook = Mutex<Callback<@Sendable (ConnectCall) -> ConnectAnswer>?>(nil)

  /// Passes each later `connect` of this process for TCP, or for a local stream socket with a path, to `hook`. The hook is
  /// called on the caller's thread.
  static func interposeConnect(_ hook: @escaping @Sendable (ConnectCall) -> ConnectAnswer) {
    connectHook.withLock { $0 = Callback(hook) }
    // UNSAFE: the function does not keep the address.
    unsafe connect_set_hook { descriptor, address, length in
      guard let address = unsafe address,
        let call = unsafe System.connectCall(descriptor, address, length),
        let hook = System.connectHook.withLock({ $0 })
      else { return Int32(CONNECT_DIRECTLY) }
      return switch hook.call(call) {
      case .connectDirectly: Int32(CONNECT_DIRECTLY)
      case .connected: 0
      case .failed(let errno): errno.rawValue
      }
    }
  }

  private static func connectCall(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) -> ConnectCall? {
    guard let address = unsafe SocketAddress(copying: address, length),
      option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
      // IP has stream sockets other than TCP.
      address.isLocal || option(SO_PROTOCOL, of: descriptor) == Int32(IPPROTO_TCP)
    else { return nil }
    let flags = fcntl(descriptor, F_GETFL)
    return ConnectCall(descriptor: descriptor, address: address, waits: flags & O_NONBLOCK == 0)
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    // UNSAFE: the option's value is a local variable of its type.
    return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }

  /// Returns a socket connected to the address of a call. The timeout is that of the call, or `waitLimit` for a non-blocking
  /// TCP socket. Wraps `connect(2)`.
  static func connectOnward(
    _ call: ConnectCall, within waitLimit: Duration
  ) throws(FileError) -> FileDescriptor {
    guard !call.address.isLocal else {
      let socket = try call.address.makeSocket(call.waits ? stream : nonBlockingStream)
      try call.address.connect(socket.rawValue)
      return socket
    }
    let socket = try call.address.makeSocket(nonBlockingStream)
    try sendWithoutDelay(socket)
    do throws(FileError) { try call.address.connect(socket.rawValue) } catch {
      guard error.errno.rawValue == EINPROGRESS else { throw error }
    }
    let (clock, limit) = (SystemClock(), call.waits ? sendLimit(of: call.descriptor) : waitLimit)
    let deadline = limit.map { clock.now + $0 }
    var entries = [PollEntry(socket, reads: false, writes: true)]
    while !entries[0].isReady {
      let rest = deadline.map { $0 - clock.now }
      guard rest ?? .zero >= .zero else {
        throw FileError(.call("connect", Errno(rawValue: call.waits ? EINPROGRESS : ETIMEDOUT)), call.name)
      }
      wait(for: &entries, within: rest)
    }
    if let code = option(SO_ERROR, of: socket.rawValue), code != 0 {
      throw FileError(.call("connect", Errno(rawValue: code)), call.name)
    }
    return socket
  }

  /// Connects the socket of a call to this process, and returns the other end.
  static func connectToPeer(_ call: ConnectCall) throws(FileError) -> FileDescriptor {
    let unnamed = SocketAddress(unnamedOfFamilyOf: call.address)
    let listener = try unnamed.makeSocket(stream)
    try unnamed.bind(listener)
    try listener.retrying("listen") { Glibc.listen($0, 8) }
    // Within this host the system connects at once.
    try limitWaiting(of: listener, to: .seconds(1))
    do throws(FileError) { try SocketAddress(of: listener.rawValue).connect(call.descriptor) } catch {
      guard error.errno.rawValue == EINPROGRESS else { throw error }
    }
    let own = try SocketAddress(of: call.descriptor)
    while let peer = try accept(listener) {
      if call.address.isLocal { return peer }
      // Another program may connect to the port.
      guard try SocketAddress(ofPeer: peer.rawValue).equals(own) else { continue }
      try sendWithoutDelay(peer)
      return peer
    }
    throw FileError(.call("accept4", .connectionAbort), call.name)
  }

  /// Whether a stream socket is connected or connecting. Wraps `poll(2)`.
  static func isInUse(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    // UNSAFE: the call fills the entry. Without a connection it reports a hang-up.
    return unsafe poll(&entry, 1, 0) == 0
  }
}
