import CoreVideo
import ReplayKit
import SharedMemory

/// One picture of the screen as the app receives it.
public struct BroadcastFrame: Sendable {
  /// The pixels: the app's own copy, which nobody writes any more; or with a lease, the extension's, which it does
  /// not write while the lease lasts. It lasts as long as the pixel buffer.
  public var pixelBuffer: CVPixelBuffer
  /// How the picture must be turned to stand upright.
  public var orientation: CGImagePropertyOrientation
  /// When the picture was taken, in monotonic nanoseconds; 0 where the layout does not tell.
  public var captureTime: UInt64
  /// When the extension published it, in monotonic nanoseconds; 0 where the layout does not tell.
  public var publishTime: UInt64
  /// When the app began to look at the frame, in monotonic nanoseconds.
  public var receiveTime: UInt64
  /// Which frame it is.
  public var id: ID
  /// The lease of the extension's pixels; `nil` when they were copied.
  public var lease: FrameLease? = nil

  /// Whether the pixels still are those of the frame. Ask after the work on them: a lease that lasts too long is
  /// taken back.
  public var isIntact: Bool { lease?.isIntact ?? true }

  /// The frame's time for a call: when it was taken, or where that is not known, when it was looked at.
  public var time: UInt64 { captureTime > 0 ? captureTime : receiveTime }

  /// Which frame of which session. The layout ``BroadcastLayout/article`` has no numbers: there each look counts as a
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
