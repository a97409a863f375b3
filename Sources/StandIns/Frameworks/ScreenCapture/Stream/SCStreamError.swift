// Models the constant and the type in SCError.h.

public let SCStreamErrorDomain: String = "com.apple.ScreenCaptureKit.SCStreamErrorDomain"

public struct SCStreamError: CustomNSError, LocalizedError, Equatable, Sendable {
  public enum Code: Int, CaseIterable, Sendable {
    case userDeclined = -3801
    case failedToStart = -3802
    case missingEntitlements = -3803
    case failedApplicationConnectionInvalid = -3804
    case failedApplicationConnectionInterrupted = -3805
    case failedNoMatchingApplicationContext = -3806
    case attemptToStartStreamState = -3807
    case attemptToStopStreamState = -3808
    case attemptToUpdateFilterState = -3809
    case attemptToConfigState = -3810
    case internalError = -3811
    case invalidParameter = -3812
    case noWindowList = -3813
    case noDisplayList = -3814
    case noCaptureSource = -3815
    case removingStream = -3816
    case userStopped = -3817
    case failedToStartAudioCapture = -3818
    case failedToStopAudioCapture = -3819
    case failedToStartMicrophoneCapture = -3820
    case systemStoppedStream = -3821
    case insufficientStorage = -3822
    case notSupported = -3823
    /// The app left the foreground without the value `screen-capture` in `UIBackgroundModes`.
    case missingBackgroundMode = -3824
  }

  public let code: Code
  private let reason: String?

  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    (self.code, reason) = (code, userInfo[NSLocalizedDescriptionKey] as? String)
  }

  package init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static var errorDomain: String { SCStreamErrorDomain }
  public var errorCode: Int { code.rawValue }
  /// The strings of iOS are not known.
  public var errorDescription: String? { reason }
  public var errorUserInfo: [String: Any] { reason.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }

  public static func == (one: SCStreamError, other: SCStreamError) -> Bool { one.code == other.code }
}

/// Aliases of the codes, as in `catch SCStreamError.userStopped`.
extension SCStreamError {
  public static var userDeclined: Code { .userDeclined }
  public static var failedToStart: Code { .failedToStart }
  public static var missingEntitlements: Code { .missingEntitlements }
  public static var failedApplicationConnectionInvalid: Code { .failedApplicationConnectionInvalid }
  public static var failedApplicationConnectionInterrupted: Code { .failedApplicationConnectionInterrupted }
  public static var failedNoMatchingApplicationContext: Code { .failedNoMatchingApplicationContext }
  public static var attemptToStartStreamState: Code { .attemptToStartStreamState }
  public static var attemptToStopStreamState: Code { .attemptToStopStreamState }
  public static var attemptToUpdateFilterState: Code { .attemptToUpdateFilterState }
  public static var attemptToConfigState: Code { .attemptToConfigState }
  public static var internalError: Code { .internalError }
  public static var invalidParameter: Code { .invalidParameter }
  public static var noWindowList: Code { .noWindowList }
  public static var noDisplayList: Code { .noDisplayList }
  public static var noCaptureSource: Code { .noCaptureSource }
  public static var removingStream: Code { .removingStream }
  public static var userStopped: Code { .userStopped }
  public static var failedToStartAudioCapture: Code { .failedToStartAudioCapture }
  public static var failedToStopAudioCapture: Code { .failedToStopAudioCapture }
  public static var failedToStartMicrophoneCapture: Code { .failedToStartMicrophoneCapture }
  public static var systemStoppedStream: Code { .systemStoppedStream }
  public static var insufficientStorage: Code { .insufficientStorage }
  public static var notSupported: Code { .notSupported }
  public static var missingBackgroundMode: Code { .missingBackgroundMode }
}

extension SCStreamError.Code {
  public static func ~= (code: Self, error: any Error) -> Bool { (error as? SCStreamError)?.code == code }
}
