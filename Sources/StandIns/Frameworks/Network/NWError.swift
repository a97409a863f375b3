import AppleFoundation
import Foundation

public typealias DNSServiceErrorType = Int32

public enum NWError: Error, Equatable, Sendable {
  case posix(POSIXErrorCode), dns(DNSServiceErrorType), tls(OSStatus)
}

extension NWError: CustomNSError, LocalizedError, CustomDebugStringConvertible {
  public static var errorDomain: String { "Network.NWError" }
  public var errorCode: Int {
    switch self {
    case .posix(let code): Int(DarwinErrno.number(code.rawValue))
    case .dns(let code), .tls(let code): Int(code)
    }
  }
  public var errorDescription: String? { debugDescription }
  public var debugDescription: String {
    switch self {
    // UNSAFE: the string is a constant of the C library.
    case .posix(let code):
      "POSIXErrorCode(rawValue: \(errorCode)): \(unsafe String(cString: strerror(code.rawValue)))"
    case .dns(let code): "DNS Error: \(code)"
    case .tls(let code): "TLS Error: \(code)"
    }
  }

  /// Returns the error of the last system call.
  static func last() -> NWError { .code(errno) }
  static func code(_ number: Int32) -> NWError { .posix(POSIXErrorCode(rawValue: number) ?? .EIO) }
}
