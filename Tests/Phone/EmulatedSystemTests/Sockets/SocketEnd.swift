import TestSupport

@testable import EmulatedSystem

/// One end of a connection. Blocking calls run on new threads.
final class SocketEnd: Sendable {
  struct Failure: Error { let code: Int32 }

  private let descriptor: Int32
  private let isOpen = Atomic(true)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // If no bytes arrive within 60 s, the test fails with EAGAIN.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    // UNSAFE: the call reads the local variable.
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  convenience init(family: Int32 = AF_UNIX, waits: Bool = true) throws {
    // Closed on exec, so that processes launched by other tests do not keep the socket open.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    self.init(try System.retrying("socket", "") { socket(family, type, 0) })
    if !waits { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  static func address(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // UNSAFE: the path of a temporary folder fits.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return address
  }

  static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Calls `connect(2)` with a new socket; returns 0 or the `errno`.
  static func connectByC<Address>(_ address: Address, _ type: __socket_type, waits: Bool = true) -> Int32 {
    unsafe pass(address) { address, length in
      let type = Int32(type.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue))
      let descriptor = unsafe socket(Int32(address.pointee.sa_family), type, 0)
      defer { Foundation.close(descriptor) }
      return unsafe Foundation.connect(descriptor, address, length) == 0 ? 0 : errno
    }
  }

  private static func pass<Address, Result>(
    _ address: Address, to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    // UNSAFE: an address of any family begins with its family, as `sockaddr` does.
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  func call(_ path: String) throws -> System.ConnectCall { try call(Self.address(path)) }

  func call(port: UInt16, _ family: Int32) throws -> System.ConnectCall {
    guard family == AF_INET6 else { return try call(Self.address(port: port)) }
    var address = sockaddr_in6()
    (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
    address.sin6_addr = in6addr_loopback
    return try call(address)
  }

  private func call<Address>(_ address: Address) throws -> System.ConnectCall {
    guard let copy = unsafe Self.pass(address, to: { unsafe SocketAddress(copying: $0, $1) }) else {
      throw Failure(code: EINVAL)
    }
    let waits = fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0
    return System.ConnectCall(descriptor: descriptor, address: copy, waits: waits)
  }

  /// Connects without the proxy; returns 0 or the `errno`.
  func connectDirectly(_ call: System.ConnectCall) -> Int32 {
    do throws(FileError) { try call.address.connect(descriptor) } catch { return error.errno.rawValue }
    return 0
  }

  /// Makes the calls that follow blocking.
  func wait() { _ = fcntl(descriptor, F_SETFL, 0) }

  /// The pending error of the socket (`SO_ERROR`).
  var pendingError: Int32 {
    var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    // UNSAFE: the option's value is a local variable of its type.
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code
  }

  /// Closes the connection with a reset.
  func reset() {
    System.resetWhenClosed(descriptor)
    close()
  }

  deinit { close() }

  func close() { if isOpen.exchange(false, ordering: .relaxed) { _ = Foundation.close(descriptor) } }

  private func wait<Result: Sendable>(
    _ body: @escaping @Sendable (Int32) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      // Not on a dispatch queue: other tests may occupy its few threads for longer than the receive timeout.
      Thread.detachNewThread { [descriptor] in
        continuation.resume(with: Swift.Result { try body(descriptor) })
      }
    }
  }

  func send(_ bytes: [UInt8], thenEnd ends: Bool = false) async throws {
    try await wait { [self] descriptor in
      try sendAtOnce(bytes)
      if ends { shutdown(descriptor, Int32(SHUT_WR)) }
    }
  }

  func sendAtOnce(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      // UNSAFE: the call reads the bytes of the slice.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the next bytes; empty at the end of the stream.
  func receive() async throws -> [UInt8] {
    try await wait { descriptor in
      var bytes = [UInt8](repeating: 0, count: 65_536)
      // UNSAFE: the call fills the array at most.
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
      guard count >= 0 else { throw Failure(code: errno) }
      return Array(bytes.prefix(count))
    }
  }

  func receiveAll() async throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try await receive()
      guard !bytes.isEmpty else { return all }
      all += bytes
    }
  }

  /// Returns the error of the next receive; `nil` if it succeeds.
  func receiveError() async -> Int32? {
    do { _ = try await receive() } catch { return (error as? Failure)?.code }
    return nil
  }

  /// Sends until a send fails, and returns its error.
  func errorOfSending() async -> Int32 {
    do {
      return try await wait { [self] descriptor in
        while true {
          try sendAtOnce([0])
          var state = pollfd(fd: descriptor, events: 0, revents: 0)
          // UNSAFE: the call writes the state only. It returns early if the connection has ended.
          unsafe poll(&state, 1, 5)
        }
      }
    } catch {
      return (error as? Failure)?.code ?? 0
    }
  }

  var isEmpty: Bool {
    var byte: UInt8 = 0
    // UNSAFE: the call fills the byte.
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) < 0
  }
}

final class Listener: Sendable {
  private let socket: FileDescriptor

  init(_ folder: String) throws { socket = try System.listen("app", in: PrivateFolder.open(folder)) }

  /// Binds a free local port, and listens on it unless `backlog` is `nil`.
  init(family: Int32, backlog: Int32? = 8) throws {
    let address = try SocketEnd(family: family).call(port: 0, family).address
    let unnamed = SocketAddress(unnamedOfFamilyOf: address)
    socket = try unnamed.makeSocket(System.nonBlockingStream)
    try unnamed.bind(socket)
    if let backlog { try socket.retrying("listen") { Foundation.listen($0, backlog) } }
  }

  var port: UInt16 { get throws { try System.port(of: socket) } }

  func accept() throws -> SocketEnd {
    guard let connection = try System.accept(socket) else { throw SocketEnd.Failure(code: EAGAIN) }
    // A process that another test launches must not keep the connection open.
    return SocketEnd(fcntl(connection.rawValue, F_DUPFD_CLOEXEC, 0))
  }

  func stop() { System.shutDown(socket, readingToo: true) }
}
