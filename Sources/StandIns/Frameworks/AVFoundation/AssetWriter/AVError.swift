import EmulatedDevice
import Foundation

public let AVFoundationErrorDomain: String = "AVFoundationErrorDomain"

/// Supports only the codes of a writer and its file.
public struct AVError: CustomNSError, LocalizedError, Sendable {
  public enum Code: Int, Sendable {
    case unknown = -11800
    case outOfMemory = -11801
    case diskFull = -11807
    case fileAlreadyExists = -11823
    case encoderNotFound = -11834
    case fileFormatNotRecognized = -11828
    case unsupportedOutputSettings = -11861
    case operationInterrupted = -11847
    case encodeFailed = -11883
  }

  public let code: Code
  private let reason: String
  let underlying: Int?

  init(_ code: Code, _ reason: String, underlying: Int? = nil) {
    self.code = code
    self.reason = reason
    self.underlying = underlying
  }

  public static var errorDomain: String { AVFoundationErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorDescription: String? {
    switch code {
    case .fileAlreadyExists: "Cannot Save"
    case .operationInterrupted: "Operation Interrupted"
    case .fileFormatNotRecognized: "Cannot Open"
    case .encoderNotFound, .unsupportedOutputSettings: "Cannot Encode"
    default: "The operation could not be completed"
    }
  }
  public var failureReason: String? { reason }
  public var errorUserInfo: [String: Any] {
    var values: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason]
    values[NSLocalizedDescriptionKey] = errorDescription
    values[NSUnderlyingErrorKey] = underlying.map { NSError(code: $0) }
    return values
  }
}

/// Aliases of the codes, as in `catch AVError.diskFull`.
extension AVError {
  public static var unknown: Code { .unknown }
  public static var outOfMemory: Code { .outOfMemory }
  public static var diskFull: Code { .diskFull }
  public static var fileAlreadyExists: Code { .fileAlreadyExists }
  public static var encoderNotFound: Code { .encoderNotFound }
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
  public static var operationInterrupted: Code { .operationInterrupted }
  public static var encodeFailed: Code { .encodeFailed }
}

extension AVError.Code {
  public static func ~= (code: Self, error: any Error) -> Bool { (error as? AVError)?.code == code }
}
