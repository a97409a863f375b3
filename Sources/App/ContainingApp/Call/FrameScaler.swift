import CoreVideo
import PixelAccess
import WebRTC

/// Crops and scales the frames of a call to their part and size, as the encoder of a real call does. Each output that reads
/// pixels has its own scaler.
package struct FrameScaler: Sendable {
  private var scaler = NV12Scaler()
  private var pool = AdaptivePixelBufferPool()

  package init() {}

  /// Returns the pixels of a buffer at its size. If the format cannot be scaled, or there is no memory, it returns the
  /// whole pixel buffer.
  package mutating func pixels(of buffer: RTCCVPixelBuffer) -> CVPixelBuffer {
    let whole = buffer.pixelBuffer
    guard buffer.requiresCropping() || buffer.requiresScaling(toWidth: buffer.width, height: buffer.height),
      NV12Scaler.canScale(whole)
    else { return whole }
    do {
      let output = try pool.makeBuffer(
        width: Int(buffer.width), height: Int(buffer.height),
        pixelFormat: CVPixelBufferGetPixelFormatType(whole))
      guard scaler.scale(whole, part: buffer.part, to: output) else { return whole }
      CVBufferPropagateAttachments(whole, output)
      return output
    } catch {
      return whole
    }
  }
}

extension RTCVideoFrame {
  /// The pixels of the frame at its size, for readers of single frames.
  package var pixelBuffer: CVPixelBuffer? {
    var scaler = FrameScaler()
    return (buffer as? RTCCVPixelBuffer).map { scaler.pixels(of: $0) }
  }
}
