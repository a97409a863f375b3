// Models the constant and the type of SCError.h.

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
    /// The app left the screen without the value `screen-capture` in `UIBackgroundModes`.
    case missingBackgroundMode = -3824
  }

  public let code: Code
  private let reason: String?

  public init(_ code: Code) { (self.code, reason) = (code, nil) }

  package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

  public static var errorDomain: String { SCStreamErrorDomain }
  public var errorCode: Int { code.rawValue }
  /// The texts of iOS are not known.
  public var errorDescription: String? { reason }
  public var errorUserInfo: [String: Any] { reason.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }

  public static func == (one: SCStreamError, other: SCStreamError) -> Bool { one.code == other.code }
}
