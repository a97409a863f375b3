import Glibc

struct SocketEndpoint: Sendable {
  let family: Int32
  private let storage: sockaddr_storage
  private let length: socklen_t

  /// Returns the addresses of an endpoint. It may wait for a DNS request.
  static func resolve(_ endpoint: NWEndpoint, isDatagram: Bool, isLocal: Bool = false) throws(NWError)
    -> [SocketEndpoint]
  {
    switch endpoint {
    case .unix(let path): return [try SocketEndpoint(path: path)]
    case .hostPort(let host, let port):
      return try resolve(host.debugDescription, port.rawValue, isDatagram, isLocal)
    }
  }

  private static func resolve(
    _ host: String, _ port: UInt16, _ isDatagram: Bool, _ isLocal: Bool
  ) throws(NWError) -> [SocketEndpoint] {
    // The call would read only the name before a zero.
    guard !host.utf8.contains(0) else { throw .dns(-65_554) }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = isDatagram ? SOCK_DGRAM : SOCK_STREAM
    if isLocal { unsafe hints.ai_flags = AI_PASSIVE }
    var list: UnsafeMutablePointer<addrinfo>?
    // UNSAFE: the call fills the list, which is released; each address has the length that it states.
    let code = unsafe getaddrinfo(host, "\(port)", &hints, &list)
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    guard code == 0 else { throw .dns(-65_554) }
    var found: [SocketEndpoint] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe entry.pointee.ai_addr {
        unsafe found.append(SocketEndpoint(address, entry.pointee.ai_addrlen))
      }
      unsafe next = unsafe entry.pointee.ai_next
    }
    return found
  }

  private init(path: String) throws(NWError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // Darwin's limit.
    guard path.utf8.count <= 103 else { throw .posix(.ENAMETOOLONG) }
    guard !path.utf8.contains(0) else { throw .posix(.EINVAL) }
    // UNSAFE: the bytes fit, with a zero after them.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    var storage = sockaddr_storage()
    // UNSAFE: the storage has room for each address, which are plain bytes.
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe withUnsafeBytes(of: address) { unsafe storage.copyMemory(from: $0) }
    }
    (family, self.storage, length) = (AF_UNIX, storage, socklen_t(MemoryLayout<sockaddr_un>.size))
  }

  /// Copies an address that a system call has returned.
  init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    var storage = sockaddr_storage()
    let count = min(Int(length), MemoryLayout<sockaddr_storage>.size)
    // UNSAFE: the caller's address has these bytes, and the storage has room for them.
    unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
    }
    (family, self.storage, self.length) = (Int32(storage.ss_family), storage, socklen_t(count))
  }

  /// Creates the address that a call such as `getsockname` fills in; `nil` if the call fails.
  init?(filling call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // UNSAFE: the call fills the storage, whose size it is given.
    let isFilled = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
    }
    guard isFilled else { return nil }
    (family, self.storage, self.length) = (Int32(storage.ss_family), storage, length)
  }

  func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    // UNSAFE: an address of any family begins with its family, as `sockaddr` does.
    unsafe withUnsafePointer(to: storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }

  /// The endpoint of the address; `nil` for a Unix socket without a path.
  var endpoint: NWEndpoint? {
    switch family {
    case AF_INET:
      let address = read(sockaddr_in.self)
      guard let host = IPv4Address(Self.bytes(of: address.sin_addr)) else { return nil }
      return .hostPort(
        host: .ipv4(host), port: NWEndpoint.Port(integerLiteral: UInt16(bigEndian: address.sin_port)))
    case AF_INET6:
      let address = read(sockaddr_in6.self)
      let bytes = Self.bytes(of: address.sin6_addr)
      let port = NWEndpoint.Port(integerLiteral: UInt16(bigEndian: address.sin6_port))
      // An IPv4-mapped address, as a socket for both IP versions reports it.
      let isMapped = bytes.prefix(12) == Data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
      if isMapped, let host = IPv4Address(Data(bytes.suffix(4))) {
        return .hostPort(host: .ipv4(host), port: port)
      }
      guard let host = IPv6Address(bytes) else { return nil }
      return .hostPort(host: .ipv6(host), port: port)
    default: return nil
    }
  }

  /// The port; `nil` for an address without one.
  var port: UInt16? { if case .hostPort(_, let port) = endpoint { port.rawValue } else { nil } }

  private func read<Address>(_ type: Address.Type) -> Address {
    // UNSAFE: the storage has an address of this type, by its family.
    unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: type) }
  }

  private static func bytes<Value>(of value: Value) -> Data {
    // UNSAFE: the bytes are copied.
    unsafe withUnsafeBytes(of: value) { unsafe Data($0) }
  }
}
