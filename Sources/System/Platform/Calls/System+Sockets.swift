import CPlatform
import Glibc
import Synchronization

// Unix sockets with a name in a folder.
extension System {
  /// Returns a socket that listens at `name` in `folder`. Wraps `socket(2)`, `bind(2)` and `listen(2)`.
  package static func listen(_ name: String, in folder: borrowing FileDescriptor) throws(FileError)
    -> FileDescriptor
  {
    let address = try SocketAddress(name, in: folder)
    let socket = try address.makeSocket(nonBlockingStream)
    try address.bind(socket)
    try socket.retrying("listen") { Glibc.listen($0, 8) }
    return socket
  }

  /// Connects to the socket that listens at `name` in `folder`. The timeout `limit` holds for each of its calls. Wraps
  /// `connect(2)`.
  package static func connect(
    _ name: String, in folder: borrowing FileDescriptor, waitingAtMost limit: Duration
  ) throws(FileError) -> FileDescriptor {
    let address = try SocketAddress(name, in: folder)
    let socket = try address.makeSocket(stream)
    try limitWaiting(of: socket, to: limit)
    try address.connect(socket)
    return socket
  }

  /// Returns the next connection of a listening socket; `nil` if none is pending. Wraps `accept4(2)`.
  package static func accept(_ socket: borrowing FileDescriptor) throws(FileError) -> FileDescriptor? {
    do throws(FileError) {
      return FileDescriptor(try socket.retrying("accept4") { accept_connection($0) }, path: socket.path)
    } catch {
      if error.errno == .wouldBlock || error.errno == .connectionAbort { return nil }
      throw error
    }
  }

  /// Limits how long reads and writes of a connection block. Wraps `setsockopt(2)`.
  package static func limitWaiting(
    of socket: borrowing FileDescriptor, to limit: Duration
  ) throws(FileError) {
    let (seconds, rest) = limit.wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var limit = timeval(tv_sec: Int(seconds), tv_usec: suseconds_t(rest / 1000))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      // UNSAFE: the option's value is a local variable of its type.
      try socket.retrying("setsockopt") {
        unsafe setsockopt($0, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
    }
  }

  /// The timeout for sending and connecting (`SO_SNDTIMEO`); `nil` if there is none. Wraps `getsockopt(2)`.
  package static func sendLimit(of descriptor: Int32) -> Duration? {
    var (limit, size) = (timeval(tv_sec: 0, tv_usec: 0), socklen_t(MemoryLayout<timeval>.size))
    // UNSAFE: the option's value is a local variable of its type.
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, &size)
    let duration = Duration.seconds(limit.tv_sec) + .microseconds(limit.tv_usec)
    return duration > .zero ? duration : nil
  }

  /// Returns the next bytes of a connection; empty at its end. Wraps `recv(2)`.
  package static func receive(_ socket: borrowing FileDescriptor, limit: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try socket.retrying("recv") { raw in
      // UNSAFE: the call writes at most the array's length.
      unsafe bytes.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, 0) }
    }
    return Array(bytes.prefix(count))
  }

  /// Sends all bytes. Wraps `send(2)`.
  package static func send(_ bytes: [UInt8], to socket: borrowing FileDescriptor) throws(FileError) {
    let raw = socket.rawValue
    try writeAll(bytes, call: "send", path: socket.path) { rest, _ in
      // UNSAFE: the call reads the bytes of the slice. For a closed connection it returns an error and raises no signal.
      unsafe rest.withUnsafeBytes { unsafe Glibc.send(raw, $0.baseAddress, $0.count, noSignal) }
    }
  }

  /// Returns one end of a socket pair. The other end is closed once `body` has passed it to a child. Wraps `socketpair(2)`.
  package static func connectedSocket(
    _ body: (borrowing FileDescriptor) throws -> Void
  ) throws -> FileDescriptor {
    var ends: [Int32] = [-1, -1]
    // UNSAFE: the call fills both elements of the array.
    _ = try retrying("socketpair", "") { unsafe socketpair(AF_UNIX, stream, 0, &ends) }
    let near = FileDescriptor(ends[0], path: "")
    try body(FileDescriptor(ends[1], path: ""))
    return near
  }

  /// Shuts down the writing side of a connection, and with `readingToo` also the reading side. A call that is blocked on it
  /// returns. Wraps `shutdown(2)`.
  package static func shutDown(_ socket: borrowing FileDescriptor, readingToo: Bool) {
    // It fails only if the remote side has already disconnected, with the same effect.
    _ = shutdown(socket.rawValue, Int32(readingToo ? SHUT_RDWR : SHUT_WR))
  }

  /// The sockets with Darwin's option `SO_NOSIGPIPE`, with their inodes, because a later socket may get the same descriptor.
  private static let quietSockets = Mutex<[Int32: UInt64]>([:])

  /// Sets or clears the option `SO_NOSIGPIPE` of a socket.
  package static func setQuiet(_ socket: Int32, _ isQuiet: Bool) {
    quietSockets.withLock { $0[socket] = isQuiet ? fileNumber(of: socket) : nil }
  }

  /// Whether a socket has the option `SO_NOSIGPIPE`.
  package static func isQuiet(_ socket: Int32) -> Bool {
    quietSockets.withLock { $0[socket].map { $0 == fileNumber(of: socket) } ?? false }
  }

  /// Whether a descriptor is a socket. Wraps `getsockopt(2)`.
  package static func isSocket(_ descriptor: Int32) -> Bool {
    var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    // UNSAFE: the option's value is a local variable of its type.
    return unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &value, &size) == 0
  }

  /// The inode of a descriptor (unique among open sockets); `nil` for a closed descriptor. Wraps `fstat(2)`.
  package static func fileNumber(of descriptor: Int32) -> UInt64? {
    var status = stat()
    // UNSAFE: the call fills the struct.
    return unsafe fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  static let noSignal = Int32(MSG_NOSIGNAL)
  package static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  package static let nonBlockingStream = stream | Int32(SOCK_NONBLOCK.rawValue)
}

/// A socket address, and the calls that use one.
package struct SocketAddress: Sendable {
  /// The name of the address in errors: its path, or host and port.
  package let name: String
  private let family: Int32
  private var storage = sockaddr_storage()
  private var length: socklen_t

  /// Creates the address of a port of 127.0.0.1.
  init(port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    self.init(address, AF_INET, name: "127.0.0.1:\(port)")
  }

  /// Creates the address of a name in an open folder. A socket address has room for 107 bytes, too few for the path of a deep
  /// container. So it names the folder by its descriptor. The descriptor must stay open.
  init(_ name: String, in folder: borrowing FileDescriptor) throws(FileError) {
    let (path, bytes) = ("\(folder.path)/\(name)", Array("/proc/self/fd/\(folder.rawValue)/\(name)".utf8))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw FileError(.call("bind", .fileNameTooLong), path)
    }
    // UNSAFE: the check above ensures that the bytes and a terminating zero fit.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    self.init(address, AF_UNIX, name: path)
  }

  /// Copies the address passed to a call: an IP address, or a Unix socket with a path. `nil` for any other address.
  package init?(copying address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    // UNSAFE: the caller's address has `length` bytes. The length is checked before a byte is read, so the storage has room for
    // them.
    let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(length))
    guard bytes.count > MemoryLayout<sa_family_t>.size, bytes.count <= MemoryLayout<sockaddr_storage>.size
    else { return nil }
    unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: bytes) }
    (family, self.length) = (Int32(storage.ss_family), length)
    switch family {
    case AF_UNIX:
      let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
      let path = unsafe bytes.dropFirst(start).prefix { $0 != 0 }
      guard unsafe !path.isEmpty, let text = unsafe String(validating: path, as: UTF8.self) else {
        return nil
      }
      name = text
    case AF_INET, AF_INET6:
      guard let (host, port) = unsafe Self.numbers(of: address, length) else { return nil }
      name = family == AF_INET ? "\(host):\(port)" : "[\(host)]:\(port)"
    default: return nil
    }
  }

  /// Returns host and port of an IP address as strings. Wraps `getnameinfo(3)`.
  private static func numbers(
    of address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) -> (host: String, port: String)? {
    var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
    // UNSAFE: the call reads the caller's address, and writes at most the lengths of the arrays.
    let code = unsafe getnameinfo(
      address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
      NI_NUMERICHOST | NI_NUMERICSERV)
    func text(_ bytes: [CChar]) -> String {
      String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return code == 0 ? (text(host), text(port)) : nil
  }

  /// Creates an address of the same family as `other` that the system completes in `bind`: an autobind name (outside the file
  /// system), or a free loopback port.
  package init(unnamedOfFamilyOf other: SocketAddress) {
    switch other.family {
    case AF_INET: self.init(port: 0)
    case AF_INET6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_addr = in6addr_loopback
      self.init(address, AF_INET6, name: "[::1]:0")
    default: self.init(sa_family_t(AF_UNIX), AF_UNIX, name: "")
    }
  }

  /// Gets the local address of a socket. Wraps `getsockname(2)`.
  package init(of socket: Int32) throws(FileError) {
    // UNSAFE: the call fills the address and is given its size.
    try unsafe self.init(filling: "getsockname", of: socket) { unsafe getsockname($0, $1, $2) }
  }

  /// Gets the remote address of a socket. Wraps `getpeername(2)`.
  package init(ofPeer socket: Int32) throws(FileError) {
    // UNSAFE: the call fills the address and is given its size.
    try unsafe self.init(filling: "getpeername", of: socket) { unsafe getpeername($0, $1, $2) }
  }

  private init(
    filling call: String, of socket: Int32,
    _ body: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(FileError) {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var storage = sockaddr_storage()
    // UNSAFE: the call fills the storage and is given its size.
    _ = try unsafe withUnsafeMutablePointer(to: &storage) { storage throws(FileError) in
      try unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(FileError) in
        try System.retrying(call, "") { unsafe body(socket, address, &length) }
      }
    }
    (name, family, self.storage, self.length) = ("", Int32(storage.ss_family), storage, length)
  }

  private init<Address>(_ address: Address, _ family: Int32, name: String) {
    (self.name, self.family, length) = (name, family, socklen_t(MemoryLayout<Address>.size))
    // UNSAFE: the storage is plain bytes and has room for an address of any family.
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe withUnsafeBytes(of: address) { unsafe storage.copyMemory(from: $0) }
    }
  }

  /// The port of an IPv4 address.
  var port: UInt16 {
    let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_port) ?? 0
    // UNSAFE: within the storage, which is plain bytes.
    return unsafe withUnsafeBytes(of: storage) {
      unsafe UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
  }

  /// Whether the address is a Unix socket's, and not an IP address.
  package var isLocal: Bool { family == AF_UNIX }

  /// Whether both addresses have the same family, host and port, or the same local name.
  package func equals(_ other: SocketAddress) -> Bool {
    // UNSAFE: both storages are plain bytes, and all are set.
    unsafe withUnsafeBytes(of: storage) { one in
      unsafe withUnsafeBytes(of: other.storage) { unsafe one.elementsEqual($0) }
    }
  }

  /// Returns a socket of this family. Wraps `socket(2)`.
  package func makeSocket(_ flags: Int32) throws(FileError) -> FileDescriptor {
    FileDescriptor(try System.retrying("socket", name) { socket(family, flags, 0) }, path: name)
  }

  /// Wraps `bind(2)`.
  package func bind(_ socket: borrowing FileDescriptor) throws(FileError) {
    // UNSAFE: the call reads the address.
    try unsafe pass(to: socket.rawValue, "bind") { unsafe Glibc.bind($0, $1, $2) }
  }

  /// Wraps `connect(2)`.
  func connect(_ socket: borrowing FileDescriptor) throws(FileError) { try connect(socket.rawValue) }

  /// Connects without the hook of this process.
  package func connect(_ descriptor: Int32) throws(FileError) {
    // UNSAFE: the call reads the address.
    try unsafe pass(to: descriptor, "connect") { unsafe connect_directly($0, $1, $2) }
  }

  private func pass(
    to raw: Int32, _ call: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(FileError) {
    _ = try System.retrying(call, name) {
      // UNSAFE: the calls accept an address of any family through its first member.
      unsafe withUnsafePointer(to: storage) { storage in
        unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body(raw, $0, length) }
      }
    }
  }
}
