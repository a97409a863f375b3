public final class NWParameters: @unchecked Sendable, CustomDebugStringConvertible {
  // Unchecked `Sendable`: as in Network, it must not change while it is used.

  enum Transport { case tcp, udp }

  let transport: Transport
  let isSecure: Bool
  let tcpOptions: NWProtocolTCP.Options?

  public var acceptLocalOnly = false
  public var requiredLocalEndpoint: NWEndpoint?
  /// Without effect: an address can always be reused at once.
  public var allowLocalEndpointReuse = false

  // Without effect.
  public var includePeerToPeer = false
  public var requiredInterfaceType = NWInterface.InterfaceType.other
  public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]?
  public var prohibitExpensivePaths = false
  public var serviceClass = ServiceClass.bestEffort

  public enum ServiceClass: Hashable, Sendable {
    case bestEffort, background, interactiveVideo, interactiveVoice, responsiveData, signaling
  }

  public class var tcp: NWParameters { NWParameters(tls: nil) }
  public class var udp: NWParameters { NWParameters(dtls: nil) }
  /// Connections fail: the stand-in has no TLS.
  public class var tls: NWParameters { NWParameters(tls: NWProtocolTLS.Options()) }
  /// Connections fail: the stand-in has no TLS.
  public class var dtls: NWParameters { NWParameters(dtls: NWProtocolTLS.Options()) }

  public convenience init() { self.init(tls: nil) }

  public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
    (transport, isSecure, tcpOptions) = (.tcp, tls != nil, tcp)
  }

  public init(dtls: NWProtocolTLS.Options?, udp: NWProtocolUDP.Options = NWProtocolUDP.Options()) {
    (transport, isSecure, tcpOptions) = (.udp, dtls != nil, nil)
  }

  @available(*, unavailable, message: "The emulator has no framers: give TCP's options to init(tls:tcp:).")
  public var defaultProtocolStack: ProtocolStack { ProtocolStack() }

  public final class ProtocolStack {
    public var applicationProtocols: [NWProtocolOptions] = []
    public var transportProtocol: NWProtocolOptions?
  }

  public var debugDescription: String { "\(transport)\(isSecure ? ", tls" : "")" }
}

public class NWProtocolOptions: @unchecked Sendable {
  // Unchecked `Sendable`: as ``NWParameters``.
  fileprivate init() {}
}

public enum NWProtocolTCP {
  public final class Options: NWProtocolOptions, @unchecked Sendable {
    // Unchecked `Sendable`: as ``NWParameters``.
    public var noDelay = false
    public var enableKeepalive = false
    public var keepaliveIdle = 0
    public var keepaliveInterval = 0
    public var keepaliveCount = 0
    public var connectionTimeout = 0
    /// Without effect.
    public var enableFastOpen = false
    /// Without effect.
    public var noPush = false

    public override init() {}
  }
}

public enum NWProtocolUDP {
  public final class Options: NWProtocolOptions, @unchecked Sendable {
    // Unchecked `Sendable`: as ``NWParameters``.
    public override init() {}
  }
}

/// Connections with TLS fail, because the stand-in has no TLS.
public enum NWProtocolTLS {
  public final class Options: NWProtocolOptions, @unchecked Sendable {
    // Unchecked `Sendable`: as ``NWParameters``.
    public override init() {}
    public var securityProtocolOptions: Any { self }
  }
}

/// The block is not called, because a connection with TLS fails before its peer sends certificates.
public func sec_protocol_options_set_verify_block(
  _ options: Any, _ verify_block: @escaping (Any, sec_trust_t, @escaping (Bool) -> Void) -> Void,
  _ verify_block_queue: DispatchQueue
) {}
