/// The domain of the framework's errors. Models the constant of SCError.h.
public let SCStreamErrorDomain: String = "com.apple.ScreenCaptureKit.SCStreamErrorDomain"

/// An error of a stream or of the picker. Models the type of SCError.h.
public struct SCStreamError: CustomNSError, LocalizedError, Equatable, Sendable {
  /// The codes.
  public enum Code: Int, CaseIterable, Sendable {
    /// The person did not allow the capture.
    case userDeclined = -3801
    /// The stream could not start.
    case failedToStart = -3802
    /// An entitlement is missing.
    case missingEntitlements = -3803
    /// The connection to the app is not valid.
    case failedApplicationConnectionInvalid = -3804
    /// The connection to the app was interrupted.
    case failedApplicationConnectionInterrupted = -3805
    /// No app fits the request.
    case failedNoMatchingApplicationContext = -3806
    /// A start was requested of a stream that runs.
    case attemptToStartStreamState = -3807
    /// A stop was requested of a stream that does not run.
    case attemptToStopStreamState = -3808
    /// A change of the filter was requested of a stream that does not run.
    case attemptToUpdateFilterState = -3809
    /// A change of the configuration was requested of a stream that does not run.
    case attemptToConfigState = -3810
    /// The system failed.
    case internalError = -3811
    /// A parameter is not valid.
    case invalidParameter = -3812
    /// There is no list of windows.
    case noWindowList = -3813
    /// There is no list of displays.
    case noDisplayList = -3814
    /// There is nothing to capture.
    case noCaptureSource = -3815
    /// The stream could not be removed.
    case removingStream = -3816
    /// The person stopped the stream, as at the system's indicator.
    case userStopped = -3817
    /// Audio could not be started.
    case failedToStartAudioCapture = -3818
    /// Audio could not be stopped.
    case failedToStopAudioCapture = -3819
    /// The microphone could not be started.
    case failedToStartMicrophoneCapture = -3820
    /// The system stopped the stream.
    case systemStoppedStream = -3821
    /// There is no space for a recording.
    case insufficientStorage = -3822
    /// The request is not supported.
    case notSupported = -3823
    /// The app left the screen without the value `screen-capture` in `UIBackgroundModes`.
    case missingBackgroundMode = -3824
  }

  /// The code.
  public let code: Code
  private let reason: String?

  /// Creates an error without a reason.
  public init(_ code: Code) { (self.code, reason) = (code, nil) }

  /// Creates an error with a reason, for the emulated system.
  package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

  /// The domain.
  public static var errorDomain: String { SCStreamErrorDomain }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What happened. The texts of iOS are not known.
  public var errorDescription: String? { reason }
  /// The text as Foundation keeps it.
  public var errorUserInfo: [String: Any] { reason.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }

  /// Whether two errors have the same code.
  public static func == (one: SCStreamError, other: SCStreamError) -> Bool { one.code == other.code }
}
