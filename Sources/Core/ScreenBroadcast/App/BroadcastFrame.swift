import CoreVideo
import Platform
import ReplayKitCore
import SharedMemory

/// A frame of the screen as the app receives it.
public struct BroadcastFrame: Sendable {
  /// The pixels: the app's own copy.
  public var pixelBuffer: CVPixelBuffer
  /// How the pixels must be rotated or mirrored to stand upright.
  public var orientation: CGImagePropertyOrientation
  /// When the frame was taken; zero in the article's layout, which has no times.
  public var captureTime: MonotonicTime
  /// When the extension published it; zero in the article's layout.
  public var publishTime: MonotonicTime
  /// When the app began to read the frame.
  public var receiveTime: MonotonicTime
  /// The frame's session and number.
  public var id: ID

  /// The frame's time for a call: when it was taken, or if that is not known, when it was received.
  public var time: MonotonicTime { captureTime > .zero ? captureTime : receiveTime }

  /// A frame's session and its number there. The layout ``BroadcastLayout/article`` has no numbers: each poll counts as a
  /// frame, and each file as a session.
  public struct ID: Hashable, Sendable {
    /// The random id of the session.
    public var session: UInt64
    /// The number of the frame in the session, from 1, without gaps.
    public var number: UInt64

    package init(session: UInt64, number: UInt64) {
      self.session = session
      self.number = number
    }
  }
}
