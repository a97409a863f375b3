/// A picture with the time it was taken and the way it is up.
///
/// ```swift
/// RTCVideoFrame(buffer: RTCCVPixelBuffer(pixelBuffer: pixelBuffer), rotation: ._0, timeStampNs: now)
/// ```
public final class RTCVideoFrame: NSObject, Sendable {
  /// The pixels.
  public let buffer: any RTCVideoFrameBuffer
  /// How far the pixels must be turned to be seen upright.
  public let rotation: RTCVideoRotation
  /// When the picture was taken, in nanoseconds of a clock that never goes back.
  public let timeStampNs: Int64

  /// A frame of its three parts.
  public init(buffer: any RTCVideoFrameBuffer, rotation: RTCVideoRotation, timeStampNs: Int64) {
    self.buffer = buffer
    self.rotation = rotation
    self.timeStampNs = timeStampNs
  }

  /// The width before the frame is turned, in pixels.
  public var width: Int32 { buffer.width }
  /// The height before the frame is turned, in pixels.
  public var height: Int32 { buffer.height }
}
