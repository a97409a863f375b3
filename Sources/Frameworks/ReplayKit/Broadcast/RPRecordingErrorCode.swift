/// The domain of ReplayKit's errors. Models the constant of ReplayKit's `RPError.h`.
public let RPRecordingErrorDomain: String = "com.apple.ReplayKit.RPRecordingErrorDomain"

/// The codes of ReplayKit's errors. Models the enumeration of ReplayKit's `RPError.h`.
public enum RPRecordingErrorCode: Int, CaseIterable, Sendable {
  /// No error.
  case codeSuccessful = 0
  /// Any other failure.
  case unknown = -5800
  /// The user did not allow it.
  case userDeclined = -5801
  /// Recording is switched off, by parental controls or a profile.
  case disabled = -5802
  /// Recording could not start.
  case failedToStart = -5803
  /// Recording failed.
  case failed = -5804
  /// There is no space to save the recording.
  case insufficientStorage = -5805
  /// Another app interrupted the recording.
  case interrupted = -5806
  /// The content changed its size, as in multitasking.
  case contentResize = -5807
  /// The broadcast's session is not valid: "Attempted to start an invalid broadcast session", also after a memory kill.
  case broadcastInvalidSession = -5808
  /// The device fell asleep.
  case systemDormancy = -5809
  /// An entitlement is missing.
  case entitlements = -5810
  /// A phone call is active.
  case activePhoneCall = -5811
  /// The recording could not be saved.
  case failedToSave = -5812
  /// The device is connected to a car.
  case carPlay = -5813
  /// The connection to the app is not valid.
  case failedApplicationConnectionInvalid = -5814
  /// The connection to the app was interrupted.
  case failedApplicationConnectionInterrupted = -5815
  /// No app fits the request.
  case failedNoMatchingApplicationContext = -5816
  /// The system's media services failed.
  case failedMediaServicesFailure = -5817
  /// The video could not be mixed.
  case videoMixingFailure = -5818
  /// The broadcast could not be set up.
  case broadcastSetupFailed = -5819
  /// There is no address for the recording.
  case failedToObtainURL = -5820
  /// The times of the samples are not in order.
  case failedIncorrectTimeStamps = -5821
  /// The first sample could not be processed.
  case failedToProcessFirstSample = -5822
  /// The writer could not save the recording.
  case failedAssetWriterFailedToSave = -5823
  /// There is no writer.
  case failedNoAssetWriter = -5824
  /// The writer is in a state in which it cannot go on.
  case failedAssetWriterInWrongState = -5825
  /// The writer could not export the recording.
  case failedAssetWriterExportFailed = -5826
  /// A file could not be removed.
  case failedToRemoveFile = -5827
  /// The export was cancelled.
  case failedAssetWriterExportCanceled = -5828
  /// A stop was requested while nothing was recorded.
  case attemptToStopNonRecording = -5829
  /// A start was requested while a recording was running.
  case attemptToStartInRecordingState = -5830
  /// The photo library refused the recording.
  case photoFailure = -5831
  /// The recording's session is not valid.
  case recordingInvalidSession = -5832
  /// The capture could not start.
  case failedToStartCaptureStack = -5833
  /// A parameter is not valid.
  case invalidParameter = -5834
  /// The file may not be written.
  case filePermissions = -5835
  /// A clip is being exported already.
  case exportClipToURLInProgress = -5836
}
