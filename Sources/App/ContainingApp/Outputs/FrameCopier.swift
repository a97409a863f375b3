import CoreVideo
import PixelAccess
import WebRTC

/// Copies frames whose pixels are somebody else's, who draws the next pictures into them.
@MainActor
final class FrameCopier {
  private var pool = AdaptivePixelBufferPool()

  /// The same frame with pixels of its own.
  func copy(of frame: RTCVideoFrame) throws(PixelBufferError) -> RTCVideoFrame {
    guard let picture = frame.pixelBuffer else { return frame }
    return RTCVideoFrame(
      buffer: RTCCVPixelBuffer(pixelBuffer: try pool.makeCopy(of: picture)), rotation: frame.rotation,
      timeStampNs: frame.timeStampNs)
  }
}
