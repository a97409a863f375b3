import Synchronization

/// How a connection or a listener works. Models the class of Network, with what its sockets need; other settings have no
/// effect. For one thread until it is used.
public final class NWParameters: @unchecked Sendable, CustomDebugStringConvertible {
  // Unchecked `Sendable`: as with Network, it does not change while it is used.

  enum Transport { case tcp, udp, quic }

  let transport: Transport
  let isSecure: Bool
  /// The protocols.
  public let defaultProtocolStack = ProtocolStack()
  /// Whether an address may be used again at once. Here it always may.
  public var allowLocalEndpointReuse = false
  /// Whether only this machine may connect.
  public var acceptLocalOnly = false
  /// Whether machines without a common network may connect. Without effect.
  public var includePeerToPeer = false
  /// The kind of interface. Without effect.
  public var requiredInterfaceType = NWInterface.InterfaceType.other
  /// Kinds of interfaces that are not used. Without effect.
  public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]?
  /// The interface. Without effect.
  public var requiredInterface: NWInterface?
  /// Whether costly networks are not used. Without effect.
  public var prohibitExpensivePaths = false
  /// Whether TCP sends data with its first packet. Without effect.
  public var allowFastOpen = false
  /// Whether proxies are not used. Without effect.
  public var preferNoProxies = false
  /// The address of this end.
  public var requiredLocalEndpoint: NWEndpoint?
  /// The importance. Without effect.
  public var serviceClass = ServiceClass.bestEffort

  /// The importance of a connection.
  public enum ServiceClass: Hashable, Sendable {
    /// As others.
    case bestEffort
    /// Less than others.
    case background
    /// Video of a call.
    case interactiveVideo
    /// Audio of a call.
    case interactiveVoice
    /// Video that is watched.
    case responsiveData
    /// Signals of a call.
    case signaling
  }

  /// The protocols of a connection.
  public final class ProtocolStack: @unchecked Sendable {
    // Unchecked `Sendable`: as its parameters.
    /// The protocols above the transport: framers, which the stand-in does not have.
    public var applicationProtocols: [NWProtocolOptions] = []
    /// The transport.
    public var transportProtocol: NWProtocolOptions?
  }

  /// TCP.
  public class var tcp: NWParameters { NWParameters(tls: nil) }
  /// UDP.
  public class var udp: NWParameters { NWParameters(dtls: nil) }
  /// TCP with TLS, which the stand-in does not have: connections fail.
  public class var tls: NWParameters { NWParameters(tls: NWProtocolTLS.Options()) }
  /// UDP with TLS, which the stand-in does not have: connections fail.
  public class var dtls: NWParameters { NWParameters(dtls: NWProtocolTLS.Options()) }

  /// Creates parameters of TCP.
  public convenience init() { self.init(tls: nil) }

  /// Creates parameters of TCP.
  public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
    (transport, isSecure) = (.tcp, tls != nil)
    defaultProtocolStack.transportProtocol = tcp
  }

  /// Creates parameters of UDP.
  public init(dtls: NWProtocolTLS.Options?, udp: NWProtocolUDP.Options = NWProtocolUDP.Options()) {
    (transport, isSecure) = (.udp, dtls != nil)
    defaultProtocolStack.transportProtocol = udp
  }

  /// Returns parameters that are changed without changing these.
  public func copy() -> NWParameters {
    let copy: NWParameters
    let tls = isSecure ? NWProtocolTLS.Options() : nil
    if let udp = defaultProtocolStack.transportProtocol as? NWProtocolUDP.Options {
      copy = NWParameters(dtls: tls, udp: udp)
    } else {
      copy = NWParameters(tls: tls, tcp: tcpOptions ?? NWProtocolTCP.Options())
    }
    copy.acceptLocalOnly = acceptLocalOnly
    copy.requiredLocalEndpoint = requiredLocalEndpoint
    copy.defaultProtocolStack.applicationProtocols = defaultProtocolStack.applicationProtocols
    return copy
  }

  var tcpOptions: NWProtocolTCP.Options? { defaultProtocolStack.transportProtocol as? NWProtocolTCP.Options }

  /// The transport as a text.
  public var debugDescription: String { "\(transport)\(isSecure ? ", tls" : "")" }
}

/// Settings of a protocol.
public class NWProtocolOptions: @unchecked Sendable {
  // Unchecked `Sendable`: as ``NWParameters``.
  fileprivate init() {}
}

/// TCP.
public enum NWProtocolTCP {
  /// Settings of TCP.
  public final class Options: NWProtocolOptions, @unchecked Sendable {
    // Unchecked `Sendable`: as ``NWParameters``.
    /// Whether small pieces are sent at once.
    public var noDelay = false
    /// Whether a silent connection is probed.
    public var enableKeepalive = false
    /// The seconds of silence before the first probe.
    public var keepaliveIdle = 0
    /// The seconds between probes.
    public var keepaliveInterval = 0
    /// The number of probes.
    public var keepaliveCount = 0
    /// The seconds after which a connection attempt ends; zero for the system's.
    public var connectionTimeout = 0
    /// Whether TCP sends data with its first packet. Without effect.
    public var enableFastOpen = false
    /// Whether the data is not held back. Without effect.
    public var noPush = false

    /// Creates settings.
    public override init() {}
  }
}

/// UDP.
public enum NWProtocolUDP {
  /// Settings of UDP.
  public final class Options: NWProtocolOptions, @unchecked Sendable {
    // Unchecked `Sendable`: as ``NWParameters``.
    /// Whether packets have no checksum. Without effect.
    public var preferNoChecksum = false

    /// Creates settings.
    public override init() {}
  }
}

/// TLS, which the stand-in does not have.
public enum NWProtocolTLS {
  /// Settings of TLS.
  public final class Options: NWProtocolOptions, @unchecked Sendable {
    // Unchecked `Sendable`: as ``NWParameters``.
    /// Creates settings.
    public override init() {}
  }
}

/// A protocol of messages in an app.
@available(
  *, unavailable,
  message: "The emulator has no framers: frame the messages in send and receive. See Docs/StandIns.md."
)
public enum NWProtocolFramer {}

/// What a framer does.
@available(
  *, unavailable,
  message: "The emulator has no framers: frame the messages in send and receive. See Docs/StandIns.md."
)
public protocol NWProtocolFramerImplementation {}

/// WebSocket.
@available(
  *, unavailable,
  message:
    "The emulator has no WebSocket over NWConnection: use URLSessionWebSocketTask. See Docs/StandIns.md."
)
public enum NWProtocolWebSocket {}

/// A search of services.
@available(
  *, unavailable,
  message: "The emulator finds no services: connect to a host and a port. See Docs/StandIns.md."
)
public final class NWBrowser {}
