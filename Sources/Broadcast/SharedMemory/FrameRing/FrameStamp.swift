import Platform

/// The number, times and orientation that a frame carries beside its pixels.
public struct FrameStamp: Equatable, Sendable {
  /// The number of the frame in its session, from 1, without gaps.
  public var number: UInt64
  /// When the frame was taken.
  public var captureTime: MonotonicTime
  /// When the frame was published.
  public var publishTime: MonotonicTime
  /// The rotation that shows the frame upright: a `CGImagePropertyOrientation`, 1…8.
  public var orientation: UInt32
}
