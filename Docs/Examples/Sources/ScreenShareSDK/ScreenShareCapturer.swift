import ReplayKit
import WebRTC

/// Feeds the frames of a ``ScreenShareReceiver`` to a source of WebRTC.
///
/// ```swift
/// let source = factory.videoSource()
/// try await ScreenShareCapturer(delegate: source).capture(from: receiver)
/// ```
public final class ScreenShareCapturer: RTCVideoCapturer {
  /// Captures until the broadcast ends, or until `isEnough` returns `true` after a frame.
  public func capture(from receiver: ScreenShareReceiver, until isEnough: () -> Bool = { false }) async throws
  {
    for try await frame in receiver.frames() {
      delegate?.capturer(
        self,
        didCapture: RTCVideoFrame(
          buffer: RTCCVPixelBuffer(pixelBuffer: frame.pixelBuffer),
          rotation: Self.rotation(frame.orientation),
          timeStampNs: Int64(CACurrentMediaTime() * 1e9)))
      if isEnough() { return }
    }
  }

  /// The rotation that public apps give WebRTC for this orientation.
  private static func rotation(_ orientation: Int) -> RTCVideoRotation {
    switch CGImagePropertyOrientation(rawValue: UInt32(orientation)) {
    case .left, .leftMirrored: ._90
    case .down, .downMirrored: ._180
    case .right, .rightMirrored: ._270
    default: ._0
    }
  }
}
