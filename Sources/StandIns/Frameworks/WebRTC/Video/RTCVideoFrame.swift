// Models RTCVideoFrame.h, RTCVideoFrameBuffer.h and RTCVideoRotation in sdk/objc/base.

public enum RTCVideoRotation: Int, Sendable {
  case _0 = 0
  case _90 = 90
  case _180 = 180
  case _270 = 270
}

/// Frames are passed between threads, so a buffer must not change after a frame has it.
public protocol RTCVideoFrameBuffer: NSObjectProtocol, Sendable {
  var width: Int32 { get }
  var height: Int32 { get }
}

public final class RTCVideoFrame: NSObject, Sendable {
  public let buffer: any RTCVideoFrameBuffer
  public let rotation: RTCVideoRotation
  public let timeStampNs: Int64

  public init(buffer: any RTCVideoFrameBuffer, rotation: RTCVideoRotation, timeStampNs: Int64) {
    self.buffer = buffer
    self.rotation = rotation
    self.timeStampNs = timeStampNs
  }

  public var width: Int32 { buffer.width }
  public var height: Int32 { buffer.height }
}
