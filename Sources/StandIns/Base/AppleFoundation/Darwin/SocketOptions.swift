import Foundation
import Platform

/// A socket option that Linux does not have. Not a name of Darwin's: the option is a number there.
public struct SocketOptionOfDarwin: Sendable {}

public let SO_NOSIGPIPE = SocketOptionOfDarwin()

@discardableResult
public func setsockopt(
  _ socket: Int32, _ level: Int32, _ option: SocketOptionOfDarwin, _ value: UnsafeRawPointer!,
  _ length: socklen_t
) -> Int32 {
  // It has the number of the error.
  guard System.isSocket(socket) else { return -1 }
  guard unsafe value != nil, length == MemoryLayout<Int32>.size else {
    errno = EINVAL
    return -1
  }
  // UNSAFE: the caller's memory of the size of the option, as for the C function.
  System.setQuiet(socket, unsafe value.loadUnaligned(as: Int32.self) != 0)
  return 0
}

/// The number that Darwin's `recv` takes. Glibc's constant has another type, and stays available. The same is true of
/// the constants below.
@_disfavoredOverload public let MSG_PEEK: Int32 = 0x2
@_disfavoredOverload public let MSG_DONTWAIT: Int32 = 0x40
@_disfavoredOverload public let MSG_WAITALL: Int32 = 0x100

@_disfavoredOverload public let IPPROTO_IP: Int32 = 0
@_disfavoredOverload public let IPPROTO_TCP: Int32 = 6
@_disfavoredOverload public let IPPROTO_UDP: Int32 = 17
@_disfavoredOverload public let IPPROTO_IPV6: Int32 = 41

@_disfavoredOverload public let SHUT_RD: Int32 = 0
@_disfavoredOverload public let SHUT_WR: Int32 = 1
@_disfavoredOverload public let SHUT_RDWR: Int32 = 2

/// Darwin's addresses begin with their length. Linux has no length: the getter returns the size for the family, the
/// setter has no effect.
extension sockaddr {
  public var sa_len: UInt8 {
    get {
      switch Int32(sa_family) {
      case AF_INET6: UInt8(MemoryLayout<sockaddr_in6>.size)
      case AF_UNIX: UInt8(MemoryLayout<sockaddr_un>.size)
      default: UInt8(MemoryLayout<sockaddr_in>.size)
      }
    }
    set {}
  }
}

extension sockaddr_in {
  public var sin_len: UInt8 {
    get { UInt8(MemoryLayout<Self>.size) }
    set {}
  }
}
extension sockaddr_in6 {
  public var sin6_len: UInt8 {
    get { UInt8(MemoryLayout<Self>.size) }
    set {}
  }
}
extension sockaddr_un {
  public var sun_len: UInt8 {
    get { UInt8(MemoryLayout<Self>.size) }
    set {}
  }
}
