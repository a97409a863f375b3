import Glibc

/// A Unix stream socket for whole messages.
final class UnixSocket {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A socket that listens at a path.
  static func listening(at path: String) throws -> UnixSocket {
    let socket = try make()
    // UNSAFE: the address is valid for the call.
    try unsafe withAddress(path) { address, length in
      try check(unsafe bind(socket.descriptor, address, length), "bind", path)
    }
    try check(listen(socket.descriptor, 1), "listen", path)
    return socket
  }

  /// A socket connected to the one that listens at a path.
  static func connected(to path: String) throws -> UnixSocket {
    let socket = try make()
    // UNSAFE: the address is valid for the call.
    try unsafe withAddress(path) { address, length in
      try check(unsafe connect(socket.descriptor, address, length), "connect", path)
    }
    return socket
  }

  /// Waits for the first connection.
  func accept() throws -> UnixSocket {
    UnixSocket(try Self.check(Glibc.accept(descriptor, nil, nil), "accept", "the socket"))
  }

  /// Writes all bytes.
  func write(_ bytes: UnsafeRawPointer, count: Int) throws {
    var done = 0
    while done < count {
      // UNSAFE: the bytes behind those written.
      let written = unsafe Glibc.send(descriptor, bytes + done, count - done, Int32(MSG_NOSIGNAL))
      if written < 0, errno == EINTR { continue }
      done += Int(try Self.check(Int32(clamping: written), "send", "the socket"))
    }
  }

  /// Reads this number of bytes; `false` if the other end has closed.
  func read(_ bytes: UnsafeMutableRawPointer, count: Int) throws -> Bool {
    var done = 0
    while done < count {
      // UNSAFE: the room behind what was read.
      let got = unsafe recv(descriptor, bytes + done, count - done, Int32(MSG_WAITALL))
      if got == 0 { return false }
      if got < 0, errno == EINTR { continue }
      done += Int(try Self.check(Int32(clamping: got), "recv", "the socket"))
    }
    return true
  }

  private static func make() throws -> UnixSocket {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return UnixSocket(try check(socket(AF_UNIX, type, 0), "socket", "a Unix socket"))
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
  ) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let characters = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard characters.count <= room else {
      throw Failure("\(path) is too long for a socket; name a shorter folder with --folder")
    }
    // UNSAFE: the path fits, and the rest of the struct is zero.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: characters) }
    try unsafe withUnsafePointer(to: &address) { pointer in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        try unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  @discardableResult
  private static func check(_ result: Int32, _ call: String, _ path: String) throws -> Int32 {
    guard result >= 0 else { throw Failure("\(call) failed on \(path) (error \(errno))") }
    return result
  }
}
