/// One end of a connection. Models the enumeration of Network.
public enum NWEndpoint: Hashable, Sendable {
  /// A host and a port.
  case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)
  /// A service of Bonjour, which the stand-in does not find.
  case service(name: String, type: String, domain: String, interface: NWInterface?)
  /// A socket of a path.
  case unix(path: String)
  /// An address of the web, of which host and port are used.
  case url(URL)

  /// A host: a name or an address.
  public enum Host: Hashable, Sendable, ExpressibleByStringLiteral {
    /// A name.
    case name(String, NWInterface?)
    /// An address of IP version 4.
    case ipv4(IPv4Address)
    /// An address of IP version 6.
    case ipv6(IPv6Address)

    /// Creates a host from an address or a name.
    public init(_ string: String) {
      if let address = IPv4Address(string) {
        self = .ipv4(address)
      } else if let address = IPv6Address(string) {
        self = .ipv6(address)
      } else {
        self = .name(string, nil)
      }
    }
    /// Creates a host from an address or a name.
    public init(stringLiteral value: String) { self.init(value) }
  }

  /// A number of a port.
  public struct Port: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: UInt16
    /// Creates a port from its number; never `nil`.
    public init?(rawValue: UInt16) { self.rawValue = rawValue }
    /// Creates a port from its number.
    public init(integerLiteral value: UInt16) { rawValue = value }
    /// Creates a port from a number or the name of a service; `nil` for other texts.
    public init?(_ service: String) {
      guard let number = UInt16(service) ?? ["http": 80, "https": 443, "ssh": 22][service] else { return nil }
      rawValue = number
    }

    /// A free port.
    public static let any: Port = 0
    /// That of HTTP.
    public static let http: Port = 80
    /// That of HTTPS.
    public static let https: Port = 443
    /// That of SSH.
    public static let ssh: Port = 22
  }
}

extension NWEndpoint: CustomDebugStringConvertible {
  /// The address as a text.
  public var debugDescription: String {
    switch self {
    case .hostPort(let host, let port): "\(host.debugDescription):\(port.rawValue)"
    case .service(let name, let type, let domain, _): "\(name).\(type)\(domain)"
    case .unix(let path): path
    case .url(let url): url.absoluteString
    }
  }
}

extension NWEndpoint.Host: CustomDebugStringConvertible {
  /// The name or the address.
  public var debugDescription: String {
    switch self {
    case .name(let name, _): name
    case .ipv4(let address): address.debugDescription
    case .ipv6(let address): address.debugDescription
    }
  }
}

extension NWEndpoint.Port: CustomDebugStringConvertible {
  /// The number.
  public var debugDescription: String { "\(rawValue)" }
}

/// An address of IP. Models the protocol of Network.
public protocol IPAddress: Hashable, Sendable, CustomDebugStringConvertible {
  /// The bytes.
  var rawValue: Data { get }
  /// Creates an address from its text; `nil` for another text.
  init?(_ string: String)
}

/// An address of IP version 4.
public struct IPv4Address: IPAddress {
  /// The four bytes.
  public let rawValue: Data
  /// Creates an address from four bytes; `nil` for another number.
  public init?(_ rawValue: Data) {
    guard rawValue.count == 4 else { return nil }
    self.rawValue = rawValue
  }
  /// Creates an address from its text.
  public init?(_ string: String) {
    guard let bytes = addressBytes(string, AF_INET, count: 4) else { return nil }
    rawValue = bytes
  }

  /// All addresses of this machine.
  public static let any = IPv4Address([0, 0, 0, 0])
  /// This machine.
  public static let loopback = IPv4Address([127, 0, 0, 1])
  /// All machines of the network.
  public static let broadcast = IPv4Address([255, 255, 255, 255])

  private init(_ bytes: [UInt8]) { rawValue = Data(bytes) }

  /// The four numbers.
  public var debugDescription: String { rawValue.map { "\($0)" }.joined(separator: ".") }
}

/// An address of IP version 6.
public struct IPv6Address: IPAddress {
  /// The sixteen bytes.
  public let rawValue: Data
  /// Creates an address from sixteen bytes; `nil` for another number.
  public init?(_ rawValue: Data) {
    guard rawValue.count == 16 else { return nil }
    self.rawValue = rawValue
  }
  /// Creates an address from its text.
  public init?(_ string: String) {
    guard let bytes = addressBytes(string, AF_INET6, count: 16) else { return nil }
    rawValue = bytes
  }

  /// All addresses of this machine.
  public static let any = IPv6Address(last: 0)
  /// This machine.
  public static let loopback = IPv6Address(last: 1)

  private init(last: UInt8) { rawValue = Data([UInt8](repeating: 0, count: 15) + [last]) }

  /// The address as a text.
  public var debugDescription: String {
    var text = [CChar](repeating: 0, count: 64)
    // UNSAFE: the call writes into the array at most.
    _ = unsafe rawValue.withUnsafeBytes { unsafe inet_ntop(AF_INET6, $0.baseAddress, &text, 64) }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

private func addressBytes(_ text: String, _ family: Int32, count: Int) -> Data? {
  // The call would take what is before the zero for the address.
  guard !text.utf8.contains(0) else { return nil }
  var bytes = [UInt8](repeating: 0, count: count)
  // UNSAFE: the call fills the array, which has the size of the family.
  return unsafe inet_pton(family, text, &bytes) == 1 ? Data(bytes) : nil
}

/// An interface of the network.
public struct NWInterface: Hashable, Sendable {
  /// The kind of an interface.
  public enum InterfaceType: Hashable, Sendable {
    /// Another kind.
    case other
    /// Wi-Fi.
    case wifi
    /// A mobile network.
    case cellular
    /// A cable.
    case wiredEthernet
    /// This machine.
    case loopback
  }

  /// The name.
  public let name: String
  /// The kind.
  public let type: InterfaceType
}
