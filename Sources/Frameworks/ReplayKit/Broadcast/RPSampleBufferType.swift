/// The content of a sample of a broadcast. Models the enumeration of ReplayKit's `RPScreenRecorder.h`.
///
/// As on iOS, a `switch` over it needs `@unknown default`, which is a warning without it; and every number makes a value. A
/// number without a name keeps no number: its `rawValue` is 0.
@nonexhaustive(warn)
public enum RPSampleBufferType: Int, Sendable {
  /// A frame of the screen.
  case video = 1
  /// Audio of the apps.
  case audioApp = 2
  /// Audio of the microphone.
  case audioMic = 3
  /// A content that this version of ReplayKit does not name. Code has no name for it either.
  @available(*, unavailable)
  case unknown = 0

  /// Creates a type from its number; never `nil`.
  public init?(rawValue: Int) {
    switch rawValue {
    case 1: self = .video
    case 2: self = .audioApp
    case 3: self = .audioMic
    // UNSAFE: the cases have the bytes 0 to 3 in their order, which a test checks; an unavailable case cannot be written.
    default: self = unsafe unsafeBitCast(3 as UInt8, to: RPSampleBufferType.self)
    }
  }
}

/// The key of a video sample's attachment that holds the frame's orientation: a number, the raw value of a
/// ``CGImagePropertyOrientation``. Models the constant of ReplayKit's `RPBroadcastExtension.h`.
public let RPVideoSampleOrientationKey: String = "RPSampleBufferVideoOrientation"
