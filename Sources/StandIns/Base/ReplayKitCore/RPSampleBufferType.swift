/// As on iOS, the compiler warns if a `switch` over it has no `@unknown default`, and every number makes a value. If a
/// number has no name, the value does not keep it: its `rawValue` is 0.
@nonexhaustive(warn)
public enum RPSampleBufferType: Int, Sendable {
  case video = 1
  case audioApp = 2
  case audioMic = 3
  /// Any other number. Apple has no such case, so code cannot name it.
  @available(*, unavailable)
  case unknown = 0

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

public let RPVideoSampleOrientationKey: String = "RPSampleBufferVideoOrientation"
