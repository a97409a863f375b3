// Models RTCVideoFrame.h, RTCVideoFrameBuffer.h and RTCVideoRotation of sdk/objc/base.

/// The clockwise rotation that shows a frame upright, in degrees.
public enum RTCVideoRotation: Int, Sendable {
  /// Stored upright.
  case _0 = 0
  /// 90° clockwise.
  case _90 = 90
  /// 180° clockwise.
  case _180 = 180
  /// 270° clockwise.
  case _270 = 270
}

/// The pixels of a frame, and their size. Frames cross threads: a buffer does not change once a frame has it.
public protocol RTCVideoFrameBuffer: NSObjectProtocol, Sendable {
  /// The width, in pixels.
  var width: Int32 { get }
  /// The height, in pixels.
  var height: Int32 { get }
}

/// A video frame: pixels, rotation and capture time. Width and height are those before rotation.
///
/// ```swift
/// RTCVideoFrame(buffer: RTCCVPixelBuffer(pixelBuffer: pixelBuffer), rotation: ._0, timeStampNs: now)
/// ```
public final class RTCVideoFrame: NSObject, Sendable {
  /// The pixels.
  public let buffer: any RTCVideoFrameBuffer
  /// The clockwise rotation that shows the frame upright.
  public let rotation: RTCVideoRotation
  /// The capture time, in monotonic nanoseconds.
  public let timeStampNs: Int64

  /// Creates a frame. The time is in monotonic nanoseconds.
  public init(buffer: any RTCVideoFrameBuffer, rotation: RTCVideoRotation, timeStampNs: Int64) {
    self.buffer = buffer
    self.rotation = rotation
    self.timeStampNs = timeStampNs
  }

  /// The width before rotation, in pixels.
  public var width: Int32 { buffer.width }
  /// The height before rotation, in pixels.
  public var height: Int32 { buffer.height }
}
