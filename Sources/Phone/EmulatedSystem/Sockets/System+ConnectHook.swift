import CPhone
import Glibc
import Platform
import Synchronization

// A hook in `connect`, for a proxy between the code of this process and the sockets of other processes. The calls of the
// system layer connect without it.
extension System {
  /// A call of `connect` for a stream socket: a local one with a path, or one of TCP.
  struct ConnectCall: Sendable {
    let descriptor: Int32
    let address: SocketAddress
    /// Whether the calls of the socket wait.
    let waits: Bool

    /// The path as the caller gave it, which may be relative, or host and port.
    var name: String { address.name }

    /// Whether the caller learns later, by waiting for the socket, how its call went.
    var isAnsweredLater: Bool { !waits && !address.isLocal }
  }

  enum ConnectAnswer: Equatable, Sendable { case connectDirectly, connected, failed(Errno) }

  private static let connectHook = Mutex<Callback<@Sendable (ConnectCall) -> ConnectAnswer>?>(nil)

  /// From now on `hook` answers each `connect` of this process for a local stream socket with a path or for TCP, on the
  /// caller's thread.
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
      // Of IP there are streams other than TCP.
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

  /// A socket connected to the address of a call. It takes as long as the call may, and `patience` over TCP if that does not
  /// wait. The corresponding C function is `connect`.
  static func connectOnward(
    _ call: ConnectCall, within patience: Duration
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
    let (clock, limit) = (SystemClock(), call.waits ? sendLimit(of: call.descriptor) : patience)
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

  /// The other end of the socket of a call, which is not connected yet, and is connected here.
  static func connectToPeer(_ call: ConnectCall) throws(FileError) -> FileDescriptor {
    let unnamed = SocketAddress(unnamedOfFamilyOf: call.address)
    let listener = try unnamed.makeSocket(stream)
    try unnamed.bind(listener)
    try listener.retrying("listen") { Glibc.listen($0, 8) }
    // The system makes a connection within this machine at once.
    try limitWaiting(of: listener, to: .seconds(1))
    do throws(FileError) { try SocketAddress(of: listener.rawValue).connect(call.descriptor) } catch {
      guard error.errno.rawValue == EINPROGRESS else { throw error }
    }
    let own = try SocketAddress(of: call.descriptor)
    while let peer = try accept(listener) {
      if call.address.isLocal { return peer }
      // Another program may connect to a port.
      guard try SocketAddress(ofPeer: peer.rawValue).equals(own) else { continue }
      try sendWithoutDelay(peer)
      return peer
    }
    throw FileError(.call("accept4", .connectionAbort), call.name)
  }

  /// Whether a stream socket is connected, or being connected. The corresponding C function is `poll`.
  static func isInUse(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    // UNSAFE: the call fills the entry. Without a connection it reports a hang-up.
    return unsafe poll(&entry, 1, 0) == 0
  }
}
