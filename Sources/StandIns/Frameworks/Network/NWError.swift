import AppleFoundation
import EmulatedDevice
import Foundation

public typealias DNSServiceErrorType = Int32

public enum NWError: Error, Equatable, Sendable {
  case posix(POSIXErrorCode), dns(DNSServiceErrorType), tls(OSStatus)
}

extension NWError: CustomNSError, CustomDebugStringConvertible {
  public static var errorDomain: String { "Network.NWError" }
  public var errorCode: Int {
    switch self {
    case .posix(let code): Int(DarwinErrno.number(code.rawValue))
    case .dns(let code), .tls(let code): Int(code)
    }
  }
  public var errorUserInfo: [String: Any] {
    [NSLocalizedDescriptionKey: NSError.text("(Network.NWError error \(errorCode) - \(text))")]
  }
  public var debugDescription: String {
    if case .posix = self { return "POSIXErrorCode(rawValue: \(errorCode)): \(text)" }
    return "\(errorCode): \(text)"
  }
  private var text: String {
    if case .posix(let code) = self { return DarwinErrno.text(code.rawValue) }
    return errorCode == -65_554 ? "NoSuchRecord" : "Unknown"
  }

  /// Returns the error of the last system call.
  static func last() -> NWError { .code(errno) }
  static func code(_ number: Int32) -> NWError { .posix(POSIXErrorCode(rawValue: number) ?? .EIO) }
}
