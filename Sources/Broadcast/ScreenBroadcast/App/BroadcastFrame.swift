import CoreVideo
import Platform
import ReplayKit
import SharedMemory

/// One picture of the screen as the app receives it.
public struct BroadcastFrame: Sendable {
  /// The pixels: the app's own copy, which nobody writes any more; or with a lease, the extension's, which it does
  /// not write while the lease lasts. It lasts as long as the pixel buffer.
  public var pixelBuffer: CVPixelBuffer
  /// How the picture must be turned to stand upright.
  public var orientation: CGImagePropertyOrientation
  /// When the frame was taken; zero in the article's layout, which has no times.
  public var captureTime: MonotonicTime
  /// When the extension published it; zero in the article's layout.
  public var publishTime: MonotonicTime
  /// When the app began to read the frame.
  public var receiveTime: MonotonicTime
  /// Which frame it is.
  public var id: ID
  /// The lease of the extension's pixels; `nil` when they were copied.
  public var lease: FrameLease? = nil

  /// Whether the pixels still are those of the frame. Ask after the work on them: a lease that lasts too long is
  /// taken back.
  public var isIntact: Bool { lease?.isIntact ?? true }

  /// The frame's time for a call: when it was taken, or where that is not known, when it was looked at.
  public var time: MonotonicTime { captureTime > .zero ? captureTime : receiveTime }

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
