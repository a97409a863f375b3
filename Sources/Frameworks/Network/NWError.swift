/// A code of DNS.
public typealias DNSServiceErrorType = Int32

/// An error of a connection or a listener. Models the enumeration of Network.
public enum NWError: Error, Equatable, Sendable {
  /// An error of a system call.
  case posix(POSIXErrorCode)
  /// A name without an address.
  case dns(DNSServiceErrorType)
  /// An error of TLS.
  case tls(OSStatus)
}

extension NWError: CustomNSError, LocalizedError, CustomDebugStringConvertible {
  /// The domain: that of POSIX, or of the kind.
  public static var errorDomain: String { "Network.NWError" }
  /// The number of the error.
  public var errorCode: Int {
    switch self {
    case .posix(let code): Int(code.rawValue)
    case .dns(let code): Int(code)
    case .tls(let code): Int(code)
    }
  }
  /// What the error says.
  public var errorDescription: String? { debugDescription }
  /// What the error says, with its name.
  public var debugDescription: String {
    switch self {
    // UNSAFE: the text is a constant of the C library.
    case .posix(let code):
      "POSIXErrorCode(rawValue: \(code.rawValue)): \(unsafe String(cString: strerror(code.rawValue)))"
    case .dns(let code): "DNS Error: \(code)"
    case .tls(let code): "TLS Error: \(code)"
    }
  }

  /// The error of the last system call.
  static func last() -> NWError { .posix(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  static func code(_ number: Int32) -> NWError { .posix(POSIXErrorCode(rawValue: number) ?? .EIO) }
}
