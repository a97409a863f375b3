import CPhone
import Glibc
import Platform
import Synchronization

// A hook in `connect`, for a proxy between the code of this process and the sockets of other processes. The calls of this
// layer connect without it.
extension System {
  /// A call of `connect` for a local stream socket with a path.
  package struct ConnectCall: Sendable {
    package let descriptor: Int32
    /// The path as the caller gave it, which may be relative.
    package let path: String
    /// Whether the calls of the socket wait.
    package let waits: Bool

    package init(descriptor: Int32, path: String, waits: Bool) {
      (self.descriptor, self.path, self.waits) = (descriptor, path, waits)
    }
  }

  /// What `connect` does.
  package enum ConnectAnswer: Equatable, Sendable { case connectDirectly, connected, failed(Errno) }

  private static let connectHook = Mutex<(@Sendable (ConnectCall) -> ConnectAnswer)?>(nil)

  /// From now on `hook` answers each `connect` of this process for a local stream socket with a path, on the caller's thread.
  package static func interposeConnect(_ hook: @escaping @Sendable (ConnectCall) -> ConnectAnswer) {
    connectHook.withLock { $0 = hook }
    // UNSAFE: the function does not keep the address.
    unsafe connect_set_hook { descriptor, address, length in
      guard let address = unsafe address,
        let call = unsafe System.connectCall(descriptor, address, length),
        let hook = System.connectHook.withLock({ $0 })
      else { return Int32(CONNECT_DIRECTLY) }
      return switch hook(call) {
      case .connectDirectly: Int32(CONNECT_DIRECTLY)
      case .connected: 0
      case .failed(let errno): errno.rawValue
      }
    }
  }

  private static func connectCall(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) -> ConnectCall? {
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    // UNSAFE: the caller's address has `length` bytes; one with a path has more than the family.
    guard Int(length) > start, unsafe address.pointee.sa_family == AF_UNIX else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(length)).dropFirst(start)
    let path = unsafe bytes.prefix { $0 != 0 }
    guard unsafe !path.isEmpty, let text = unsafe String(validating: path, as: UTF8.self) else { return nil }
    var (type, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    // UNSAFE: the option's value is a local variable of its type.
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0,
      type == Int32(SOCK_STREAM.rawValue)
    else { return nil }
    let flags = fcntl(descriptor, F_GETFL)
    return ConnectCall(descriptor: descriptor, path: text, waits: flags & O_NONBLOCK == 0)
  }

  /// Connects the socket of a call as the caller asked for it. The corresponding C function is `connect`.
  package static func connectDirectly(_ call: ConnectCall) throws(SystemError) {
    try SocketAddress(path: call.path).connect(call.descriptor)
  }

  /// A stream socket connected to the one that listens at a path. With `waits` the call waits while the queue of that socket
  /// is full. The corresponding C function is `connect`.
  package static func connect(path: String, waits: Bool) throws(SystemError) -> FileDescriptor {
    let address = try SocketAddress(path: path)
    let socket = try address.makeSocket(waits ? stream : nonBlockingStream)
    try address.connect(socket)
    return socket
  }

  /// The other end of `descriptor`, a local stream socket that is not connected yet, and is connected here.
  package static func connectToPeer(_ descriptor: Int32) throws(SystemError) -> FileDescriptor {
    // An address without a name: the kernel chooses a free one outside the file system.
    var address = SocketAddress()
    let listener = try address.makeSocket(stream)
    try address.bind(listener)
    try listener.retrying("listen") { Glibc.listen($0, 1) }
    address = try SocketAddress(of: listener)
    try address.connect(descriptor)
    guard let peer = try accept(listener) else {
      throw SystemError(call: "accept4", path: "", errno: .connectionAbort)
    }
    return peer
  }

  /// The number of the file of a descriptor, which no other open socket has; `nil` for a closed descriptor. The corresponding
  /// C function is `fstat`.
  package static func fileNumber(of descriptor: Int32) -> UInt64? {
    var status = stat()
    // UNSAFE: the call fills the struct.
    return unsafe fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
