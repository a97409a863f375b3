import Glibc

// Local sockets with a name in a folder.
extension System {
  /// A socket that listens at `name` in `folder`. The corresponding C functions are `socket`, `bind` and `listen`.
  package static func listen(_ name: String, in folder: borrowing FileDescriptor) throws(SystemError)
    -> FileDescriptor
  {
    let socket = try makeSocket(name, in: folder, flags: nonBlockingStream)
    let (raw, path) = (socket.rawValue, socket.path)
    // UNSAFE: the call reads the address.
    _ = try unsafe withAddress(of: name, in: folder) { address, length throws(SystemError) in
      try retrying("bind", path) { unsafe Glibc.bind(raw, address, length) }
    }
    try socket.retrying("listen") { Glibc.listen($0, 8) }
    return socket
  }

  /// A socket connected to the one that listens at `name` in `folder`; its calls wait at most `limit`. The
  /// corresponding C function is `connect`.
  package static func connect(
    _ name: String, in folder: borrowing FileDescriptor, waitingAtMost limit: Duration
  ) throws(SystemError) -> FileDescriptor {
    let socket = try makeSocket(name, in: folder, flags: stream)
    try limitWaiting(of: socket, to: limit)
    let (raw, path) = (socket.rawValue, socket.path)
    // UNSAFE: the call reads the address.
    _ = try unsafe withAddress(of: name, in: folder) { address, length throws(SystemError) in
      try retrying("connect", path) { unsafe Glibc.connect(raw, address, length) }
    }
    return socket
  }

  /// The next connection of a listening socket; `nil` if no process waits for one. The corresponding C function is
  /// `accept`.
  package static func accept(_ socket: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor? {
    do throws(SystemError) {
      let connection = try socket.retrying("accept") { Glibc.accept($0, nil, nil) }
      // The connection closes before this process starts another one, so a moment without the flag does no harm.
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      return FileDescriptor(connection, path: socket.path)
    } catch {
      if error.errno == .wouldBlock || error.errno == .connectionAbort { return nil }
      throw error
    }
  }

  /// Limits how long reads and writes of a connection wait. The corresponding C function is `setsockopt`.
  package static func limitWaiting(
    of socket: borrowing FileDescriptor, to limit: Duration
  ) throws(SystemError) {
    let (seconds, rest) = limit.wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var limit = timeval(tv_sec: Int(seconds), tv_usec: suseconds_t(rest / 1000))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      // UNSAFE: the option's value is a local variable of its type.
      try socket.retrying("setsockopt") {
        unsafe setsockopt($0, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
    }
  }

  /// The next bytes of a connection; empty at its end. The corresponding C function is `recv`.
  package static func receive(_ socket: borrowing FileDescriptor, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try socket.retrying("recv") { raw in
      // UNSAFE: the call fills the array at most.
      unsafe bytes.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, 0) }
    }
    return Array(bytes.prefix(count))
  }

  /// Sends all bytes. The corresponding C function is `send`.
  package static func send(_ bytes: [UInt8], to socket: borrowing FileDescriptor) throws(SystemError) {
    let raw = socket.rawValue
    try writeAll(bytes, call: "send", path: socket.path) { rest, _ in
      // UNSAFE: the call reads the bytes of the slice. A closed connection is an error, not a signal.
      unsafe rest.withUnsafeBytes { unsafe Glibc.send(raw, $0.baseAddress, $0.count, noSignal) }
    }
  }

  /// A socket that is connected to another one, which is closed when `body` has passed it to a child. The corresponding C
  /// function is `socketpair`.
  package static func connectedSocket(
    _ body: (borrowing FileDescriptor) throws -> Void
  ) throws -> FileDescriptor {
    var ends: [Int32] = [-1, -1]
    // UNSAFE: the call fills both places of the array.
    _ = try retrying("socketpair", "") { unsafe socketpair(AF_UNIX, stream, 0, &ends) }
    let near = FileDescriptor(ends[0], path: "")
    try body(FileDescriptor(ends[1], path: ""))
    return near
  }

  /// Ends the writing of a connection, and with `readingToo` the reading; a call that waits for it returns. The
  /// corresponding C function is `shutdown`.
  package static func shutDown(_ socket: borrowing FileDescriptor, readingToo: Bool) {
    // It fails only when the other end has left, which is the same.
    _ = shutdown(socket.rawValue, Int32(readingToo ? SHUT_RDWR : SHUT_WR))
  }

  static let noSignal = Int32(MSG_NOSIGNAL)
  static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  static let nonBlockingStream = stream | Int32(SOCK_NONBLOCK.rawValue)

  private static func makeSocket(
    _ name: String, in folder: borrowing FileDescriptor, flags: Int32
  ) throws(SystemError) -> FileDescriptor {
    let path = "\(folder.path)/\(name)"
    return FileDescriptor(try retrying("socket", path) { socket(AF_UNIX, flags, 0) }, path: path)
  }

  /// The address of a name in an open folder. It has room for 107 bytes, too few for the path of a deep container, so it
  /// names the folder by its descriptor.
  private static func withAddress<Result>(
    of name: String, in folder: borrowing FileDescriptor,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let path = Array("/proc/self/fd/\(folder.rawValue)/\(name)".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard path.count <= capacity else {
      throw SystemError(call: "bind", path: "\(folder.path)/\(name)", errno: .fileNameTooLong)
    }
    // UNSAFE: the path fits, as was just checked, with a zero after it.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // UNSAFE: the calls take the address of any socket through its first member.
    return try unsafe withUnsafePointer(to: &address) { pointer throws(SystemError) in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(SystemError) in
        try unsafe body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
