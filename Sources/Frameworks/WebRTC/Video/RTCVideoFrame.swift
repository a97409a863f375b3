// Models RTCVideoFrame.h, RTCVideoFrameBuffer.h and RTCVideoRotation of sdk/objc/base.

/// The clockwise rotation that shows a frame upright, in degrees.
package enum RTCVideoRotation: Int, Sendable {
  case _0 = 0
  case _90 = 90
  case _180 = 180
  case _270 = 270
}

/// The pixels of a frame, and their size. Frames cross threads: a buffer does not change once a frame has it.
package protocol RTCVideoFrameBuffer: NSObjectProtocol, Sendable {
  var width: Int32 { get }
  var height: Int32 { get }
}

/// A video frame: pixels, rotation and capture time. Width and height are those before rotation.
///
/// ```swift
/// RTCVideoFrame(buffer: RTCCVPixelBuffer(pixelBuffer: pixelBuffer), rotation: ._0, timeStampNs: now)
/// ```
package final class RTCVideoFrame: NSObject, Sendable {
  package let buffer: any RTCVideoFrameBuffer
  package let rotation: RTCVideoRotation
  /// The capture time, in monotonic nanoseconds.
  package let timeStampNs: Int64

  package init(buffer: any RTCVideoFrameBuffer, rotation: RTCVideoRotation, timeStampNs: Int64) {
    self.buffer = buffer
    self.rotation = rotation
    self.timeStampNs = timeStampNs
  }

  package var width: Int32 { buffer.width }
  package var height: Int32 { buffer.height }
}
