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
