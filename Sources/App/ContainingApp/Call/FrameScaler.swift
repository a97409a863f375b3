import CoreVideo
import PixelAccess
import WebRTC

/// Crops and scales the frames of a call as each of them states it, which the encoder of a call does. An output has one, for the
/// frames whose pixels it needs.
package struct FrameScaler: Sendable {
  private var scaler = NV12Scaler()
  private var pool = AdaptivePixelBufferPool()

  package init() {}

  /// The pixels of a buffer, at its size; the whole pixel buffer when its format is not scaled, and without memory.
  package mutating func pixels(of buffer: RTCCVPixelBuffer) -> CVPixelBuffer {
    let whole = buffer.pixelBuffer
    guard buffer.requiresCropping() || buffer.requiresScaling(toWidth: buffer.width, height: buffer.height),
      NV12Scaler.canScale(whole)
    else { return whole }
    let part = PixelRect(
      x: Int(buffer.cropX), y: Int(buffer.cropY), width: Int(buffer.cropWidth), height: Int(buffer.cropHeight)
    )
    do {
      let output = try pool.makeBuffer(
        width: Int(buffer.width), height: Int(buffer.height),
        pixelFormat: CVPixelBufferGetPixelFormatType(whole))
      guard scaler.scale(whole, part: part, to: output) else { return whole }
      CVBufferPropagateAttachments(whole, output)
      return output
    } catch {
      return whole
    }
  }
}

extension RTCVideoFrame {
  /// The pixels of the frame, at its size: for the reader of single frames.
  package var pixelBuffer: CVPixelBuffer? {
    var scaler = FrameScaler()
    return (buffer as? RTCCVPixelBuffer).map { scaler.pixels(of: $0) }
  }
}
