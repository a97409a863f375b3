import Foundation

/// An option of sockets that Linux does not have. Not a name of Darwin's, where it is a number.
public struct SocketOptionOfDarwin: Sendable {}

/// Makes a write to a closed connection an error, and not a signal: sys/socket.h.
public let SO_NOSIGPIPE = SocketOptionOfDarwin()

/// Sets `SO_NOSIGPIPE` of a socket: this process ignores the signal from then on. Returns zero.
@discardableResult
public func setsockopt(
  _ socket: Int32, _ level: Int32, _ option: SocketOptionOfDarwin, _ value: UnsafeRawPointer!,
  _ length: socklen_t
) -> Int32 {
  _ = signal(SIGPIPE, SIG_IGN)
  return 0
}

/// Receives bytes and leaves them in the socket, as the number that Darwin's `recv` takes: sys/socket.h. Glibc's name has
/// another type, and stays available; so for the names below.
@_disfavoredOverload public let MSG_PEEK: Int32 = 0x2
/// Returns at once when nothing can be sent or received: sys/socket.h.
@_disfavoredOverload public let MSG_DONTWAIT: Int32 = 0x40
/// Receives as many bytes as were asked for: sys/socket.h.
@_disfavoredOverload public let MSG_WAITALL: Int32 = 0x100

/// The Internet Protocol, as the number that Darwin's functions take: netinet/in.h.
@_disfavoredOverload public let IPPROTO_IP: Int32 = 0
/// TCP, as such a number: netinet/in.h.
@_disfavoredOverload public let IPPROTO_TCP: Int32 = 6
/// UDP, as such a number: netinet/in.h.
@_disfavoredOverload public let IPPROTO_UDP: Int32 = 17
/// The Internet Protocol, version 6, as such a number: netinet/in.h.
@_disfavoredOverload public let IPPROTO_IPV6: Int32 = 41

/// The direction of reading, as the number that Darwin's `shutdown` takes: sys/socket.h.
@_disfavoredOverload public let SHUT_RD: Int32 = 0
/// The direction of writing, as such a number: sys/socket.h.
@_disfavoredOverload public let SHUT_WR: Int32 = 1
/// Both directions, as such a number: sys/socket.h.
@_disfavoredOverload public let SHUT_RDWR: Int32 = 2
