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
  /// Which frame it is.
  public var id: ID

  /// Which frame of which session.
  public struct ID: Hashable, Sendable {
    /// The random id of the session.
    public var session: UInt64
    /// The number of the frame in the session, from 1, without gaps.
    public var number: UInt64
  }
}
