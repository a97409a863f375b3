import Glibc

/// The calls of local sockets, which have a name in a folder.
extension System {
  /// A socket that listens under `name` in `folder`, for this user alone.
  package static func listen(_ name: String, in folder: borrowing FileDescriptor) throws(SystemError)
    -> FileDescriptor
  {
    let socket = try makeSocket(name, in: folder, flags: nonBlockingStream)
    let (raw, path) = (socket.rawValue, socket.path)
    // UNSAFE: the address is lent to the call.
    _ = try unsafe withAddress(of: name, in: folder) { address, length throws(SystemError) in
      try retrying("bind", path) { unsafe Glibc.bind(raw, address, length) }
    }
    _ = try retrying("listen", path) { Glibc.listen(raw, 8) }
    return socket
  }

  /// A socket connected to whoever listens under `name` in `folder`, where nothing waits longer than `milliseconds`.
  package static func connect(
    _ name: String, in folder: borrowing FileDescriptor, milliseconds: Int
  ) throws(SystemError) -> FileDescriptor {
    let socket = try makeSocket(name, in: folder, flags: stream)
    try limitWaiting(of: socket, milliseconds: milliseconds)
    let (raw, path) = (socket.rawValue, socket.path)
    // UNSAFE: the address is lent to the call.
    _ = try unsafe withAddress(of: name, in: folder) { address, length throws(SystemError) in
      try retrying("connect", path) { unsafe Glibc.connect(raw, address, length) }
    }
    return socket
  }

  /// The next connection of a listening socket; `nil` when nobody waits.
  package static func accept(_ socket: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor? {
    let raw = socket.rawValue
    do throws(SystemError) {
      let connection = try retrying("accept", socket.path) { Glibc.accept(raw, nil, nil) }
      // The connection is gone before this process starts another, so that a moment without the mark does no harm.
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      return FileDescriptor(connection, path: socket.path)
    } catch {
      if error.code == EAGAIN || error.code == ECONNABORTED { return nil }
      throw error
    }
  }

  /// Lets reads and writes of a connection wait no longer than `milliseconds`.
  package static func limitWaiting(of socket: borrowing FileDescriptor, milliseconds: Int) throws(SystemError)
  {
    var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: suseconds_t(milliseconds % 1000 * 1000))
    let raw = socket.rawValue
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      // UNSAFE: the option's value is a local variable of its type.
      _ = try retrying("setsockopt", socket.path) {
        unsafe setsockopt(raw, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
    }
  }

  /// Some bytes of a connection; none when the other side is done.
  package static func receive(_ socket: borrowing FileDescriptor, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let raw = socket.rawValue
    let count = try retrying("recv", socket.path) {
      // UNSAFE: the call fills the array at most.
      unsafe bytes.withUnsafeMutableBytes { unsafe Int32(recv(raw, $0.baseAddress, $0.count, 0)) }
    }
    return Array(bytes.prefix(Int(count)))
  }

  /// Sends all bytes.
  package static func send(_ bytes: [UInt8], to socket: borrowing FileDescriptor) throws(SystemError) {
    var sent = 0
    let raw = socket.rawValue
    while sent < bytes.count {
      let rest = bytes[sent...]
      let count = try retrying("send", socket.path) {
        // UNSAFE: the call reads what is left of the array. Somebody who has gone is an error, not a signal.
        unsafe rest.withUnsafeBytes { unsafe Int32(Glibc.send(raw, $0.baseAddress, $0.count, noSignal)) }
      }
      sent += Int(count)
    }
  }

  private static let noSignal = Int32(MSG_NOSIGNAL)
  private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  private static let nonBlockingStream = stream | Int32(SOCK_NONBLOCK.rawValue)

  private static func makeSocket(
    _ name: String, in folder: borrowing FileDescriptor, flags: Int32
  ) throws(SystemError) -> FileDescriptor {
    let path = "\(folder.path)/\(name)"
    return FileDescriptor(try retrying("socket", path) { socket(AF_UNIX, flags, 0) }, path: path)
  }

  /// The address of a name in an open folder. A path has 107 bytes at most there, so that of a deep container would
  /// not fit: the folder is named by its descriptor.
  private static func withAddress<Result>(
    of name: String, in folder: borrowing FileDescriptor,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let path = Array("/proc/self/fd/\(folder.rawValue)/\(name)".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard path.count <= capacity else {
      throw SystemError(call: "bind", path: "\(folder.path)/\(name)", code: ENAMETOOLONG)
    }
    // UNSAFE: the path's bytes fit, as was just checked, with a zero behind them.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // UNSAFE: a socket's address is passed as its first member, as the calls want it.
    return try unsafe withUnsafePointer(to: &address) { pointer throws(SystemError) in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(SystemError) in
        try unsafe body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
