import Foundation

/// The domain of AVFoundation's errors. Models the constant of AVError.h.
public let AVFoundationErrorDomain: String = "AVFoundationErrorDomain"

/// An error of AVFoundation. Models the type of AVError.h, with the codes of a writer.
public struct AVError: CustomNSError, LocalizedError, Sendable {
  /// The codes.
  public enum Code: Int, Sendable {
    /// Any other failure.
    case unknown = -11800
    /// There is no memory.
    case outOfMemory = -11801
    /// There is no space on the disk.
    case diskFull = -11807
    /// There is a file at the address already.
    case fileAlreadyExists = -11823
    /// There is no encoder for the settings.
    case encoderNotFound = -11834
    /// The settings are not supported.
    case unsupportedOutputSettings = -11861
    /// The encoder failed.
    case encodeFailed = -11883
  }

  /// The code.
  public let code: Code
  private let reason: String
  private let underlying: Int?

  init(_ code: Code, _ reason: String, underlying: Int? = nil) {
    (self.code, self.reason, self.underlying) = (code, reason, underlying)
  }

  /// The domain.
  public static var errorDomain: String { AVFoundationErrorDomain }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What happened, as the system says it.
  public var errorDescription: String? {
    switch code {
    case .fileAlreadyExists: "Cannot Save"
    case .encoderNotFound, .unsupportedOutputSettings: "Cannot Encode"
    default: "The operation could not be completed"
    }
  }
  /// Why it happened.
  public var failureReason: String? { reason }
  /// The texts, and the code below this error.
  public var errorUserInfo: [String: Any] {
    var values: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason]
    values[NSLocalizedDescriptionKey] = errorDescription
    values[NSUnderlyingErrorKey] = underlying.map { NSError(domain: NSOSStatusErrorDomain, code: $0) }
    return values
  }
}
