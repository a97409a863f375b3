import CoreVideo
import PixelAccess
import WebRTC

/// Copies frames whose pixels are somebody else's, who draws the next pictures into them.
@MainActor
final class FrameCopier {
  private var pool: PixelBufferPool?

  /// The same frame with pixels of its own.
  func copy(of frame: RTCVideoFrame) throws(PixelBufferError) -> RTCVideoFrame {
    guard let picture = frame.pixelBuffer else { return frame }
    let pool = try pool(for: picture)
    return RTCVideoFrame(
      buffer: RTCCVPixelBuffer(pixelBuffer: try pool.makeBuffer(copying: picture)), rotation: frame.rotation,
      timeStampNs: frame.timeStampNs)
  }

  private func pool(for picture: CVPixelBuffer) throws(PixelBufferError) -> PixelBufferPool {
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    let format = CVPixelBufferGetPixelFormatType(picture)
    if let pool, pool.makes(width: width, height: height, pixelFormat: format) { return pool }
    let fresh = try PixelBufferPool(width: width, height: height, pixelFormat: format)
    pool = fresh
    return fresh
  }
}
