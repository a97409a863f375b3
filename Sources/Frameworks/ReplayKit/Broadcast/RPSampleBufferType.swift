/// The content of a sample of a broadcast. Models the enumeration of ReplayKit's `RPScreenRecorder.h`.
public enum RPSampleBufferType: Int, Sendable {
  /// A frame of the screen.
  case video = 1
  /// Audio of the apps.
  case audioApp = 2
  /// Audio of the microphone.
  case audioMic = 3
}

/// The key of a video sample's attachment that holds the frame's orientation: a number, the raw value of a
/// ``CGImagePropertyOrientation``. Models the constant of ReplayKit's `RPBroadcastExtension.h`.
public let RPVideoSampleOrientationKey: String = "RPSampleBufferVideoOrientation"
