import CoreVideo
import Platform
import ReplayKitCore
import SharedMemory

/// A frame of the screen, as the app receives it.
public struct BroadcastFrame: Sendable {
  /// The pixels, in a copy that belongs to the app.
  public var pixelBuffer: CVPixelBuffer
  /// The rotation or mirroring that shows the pixels upright.
  public var orientation: CGImagePropertyOrientation
  /// The capture time; zero in the article's layout, which has no times.
  public var captureTime: MonotonicTime
  /// The time at which the extension published the frame; zero in the article's layout.
  public var publishTime: MonotonicTime
  /// The time at which the app began to read the frame.
  public var receiveTime: MonotonicTime
  /// The session and number of the frame.
  public var id: ID

  /// The frame's time for a call: the capture time if it is known, otherwise the time of receipt.
  public var time: MonotonicTime { captureTime > .zero ? captureTime : receiveTime }

  /// The session of a frame, and its number there. The layout ``BroadcastLayout/article`` has no numbers, so each poll counts as
  /// a frame and each file as a session.
  public struct ID: Hashable, Sendable {
    /// The random ID of the session.
    public var session: UInt64
    /// The number of the frame in the session, counted from 1 without gaps.
    public var number: UInt64

    package init(session: UInt64, number: UInt64) {
      self.session = session
      self.number = number
    }
  }
}
