/// The stand-in connects to these endpoints only, not to Bonjour services and URLs.
public enum NWEndpoint: Hashable, Sendable {
  case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port), unix(path: String)

  public enum Host: Hashable, Sendable, ExpressibleByStringLiteral {
    case name(String, NWInterface?), ipv4(IPv4Address), ipv6(IPv6Address)

    public init(_ string: String) {
      if let address = IPv4Address(string) {
        self = .ipv4(address)
      } else if let address = IPv6Address(string) {
        self = .ipv6(address)
      } else {
        self = .name(string, nil)
      }
    }
    public init(stringLiteral value: String) { self.init(value) }
  }

  public struct Port: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
    public let rawValue: UInt16
    /// Never `nil` here.
    public init?(rawValue: UInt16) { self.rawValue = rawValue }
    public init(integerLiteral value: UInt16) { rawValue = value }
    /// The only known service names are `http`, `https` and `ssh`.
    public init?(_ service: String) {
      guard let number = UInt16(service) ?? ["http": 80, "https": 443, "ssh": 22][service] else { return nil }
      rawValue = number
    }

    public static let any: Port = 0
    public static let http: Port = 80
    public static let https: Port = 443
    public static let ssh: Port = 22
  }
}

extension NWEndpoint: CustomDebugStringConvertible {
  public var debugDescription: String {
    switch self {
    case .hostPort(let host, let port): "\(host.debugDescription):\(port.rawValue)"
    case .unix(let path): path
    }
  }
}

extension NWEndpoint.Host: CustomDebugStringConvertible {
  public var debugDescription: String {
    switch self {
    case .name(let name, _): name
    case .ipv4(let address): address.debugDescription
    case .ipv6(let address): address.debugDescription
    }
  }
}

extension NWEndpoint.Port: CustomDebugStringConvertible {
  public var debugDescription: String { "\(rawValue)" }
}

public protocol IPAddress: Hashable, Sendable, CustomDebugStringConvertible {
  var rawValue: Data { get }
  init?(_ string: String)
}

public struct IPv4Address: IPAddress {
  public let rawValue: Data
  public init?(_ rawValue: Data) {
    guard rawValue.count == 4 else { return nil }
    self.rawValue = rawValue
  }
  public init?(_ string: String) {
    guard let bytes = addressBytes(string, AF_INET, count: 4) else { return nil }
    rawValue = bytes
  }

  public static let any = IPv4Address([0, 0, 0, 0])
  public static let loopback = IPv4Address([127, 0, 0, 1])
  public static let broadcast = IPv4Address([255, 255, 255, 255])

  private init(_ bytes: [UInt8]) { rawValue = Data(bytes) }

  public var debugDescription: String { rawValue.map { "\($0)" }.joined(separator: ".") }
}

public struct IPv6Address: IPAddress {
  public let rawValue: Data
  public init?(_ rawValue: Data) {
    guard rawValue.count == 16 else { return nil }
    self.rawValue = rawValue
  }
  public init?(_ string: String) {
    guard let bytes = addressBytes(string, AF_INET6, count: 16) else { return nil }
    rawValue = bytes
  }

  public static let any = IPv6Address(last: 0)
  public static let loopback = IPv6Address(last: 1)

  private init(last: UInt8) { rawValue = Data([UInt8](repeating: 0, count: 15) + [last]) }

  public var debugDescription: String {
    var text = [CChar](repeating: 0, count: 64)
    // UNSAFE: the call writes at most the size of the array.
    _ = unsafe rawValue.withUnsafeBytes { unsafe inet_ntop(AF_INET6, $0.baseAddress, &text, 64) }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

private func addressBytes(_ text: String, _ family: Int32, count: Int) -> Data? {
  // The call would read only the string before a zero.
  guard !text.utf8.contains(0) else { return nil }
  var bytes = [UInt8](repeating: 0, count: count)
  // UNSAFE: the call fills the array, which has the size of the family.
  return unsafe inet_pton(family, text, &bytes) == 1 ? Data(bytes) : nil
}

public struct NWInterface: Hashable, Sendable {
  public enum InterfaceType: Hashable, Sendable { case other, wifi, cellular, wiredEthernet, loopback }

  public let name: String
  public let type: InterfaceType
}
