/// What a sample of a broadcast holds.
public enum RPSampleBufferType: Int, Sendable {
  /// A picture of the screen.
  case video = 1
  /// The sound of the apps.
  case audioApp = 2
  /// The sound of the microphone.
  case audioMic = 3
}

/// The key of a video sample's attachment that tells which way the picture is up: a number, the raw value of a
/// ``CGImagePropertyOrientation``.
public let RPVideoSampleOrientationKey: String = "RPSampleBufferVideoOrientation"
