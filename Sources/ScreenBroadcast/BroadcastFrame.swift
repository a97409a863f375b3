import CoreVideo
import ReplayKit

/// One picture of the screen as the app receives it.
public struct BroadcastFrame: Sendable {
  /// The pixels: the app's own copy, which nobody writes any more.
  public var pixelBuffer: CVPixelBuffer
  /// How the picture must be turned to stand upright.
  public var orientation: CGImagePropertyOrientation
  /// When the picture was taken, in monotonic nanoseconds.
  public var captureTime: UInt64
  /// When the extension published it, in monotonic nanoseconds.
  public var publishTime: UInt64
  /// The number of the frame in its session, from 1.
  public var number: UInt64
  /// The id of the session it belongs to.
  public var session: UInt64
}
