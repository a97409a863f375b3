import CoreMedia
import PixelAccess

/// Adapts frames to the size and the rate requested of a source.
struct FrameAdapter {
  private var framesPerSecond: Int32 = 0
  private var limiter: FrameRateLimiter?
  private var format: OutputFormat?
  private var scaler = NV12Scaler()
  /// The memory of scaled frames.
  private var pool = AdaptivePixelBufferPool()

  /// Sets the size and the rate. The grid of a rate starts again only when the rate changes.
  mutating func request(width: Int32, height: Int32, framesPerSecond: Int32) {
    format = OutputFormat(width: width, height: height)
    guard framesPerSecond != self.framesPerSecond else { return }
    self.framesPerSecond = framesPerSecond
    limiter = FrameRateLimiter(framesPerSecond: framesPerSecond)
  }

  /// Returns the adapted frame, or `nil` when the rate drops it.
  mutating func adapt(_ frame: RTCVideoFrame) -> RTCVideoFrame? {
    guard limiter?.keeps(frame.timeStampNs) ?? true else { return nil }
    guard let buffer = frame.buffer as? RTCCVPixelBuffer,
      let adaptation = format?.adaptation(width: Int(buffer.width), height: Int(buffer.height))
    else { return frame }
    let part = buffer.part(for: adaptation.crop)
    let adapted: RTCCVPixelBuffer
    if let output = scale(buffer.pixelBuffer, part: part, to: adaptation) {
      adapted = RTCCVPixelBuffer(pixelBuffer: output)
    } else {
      // The renderer crops and scales. Clamped, as the creator of a buffer may give it any part and size.
      adapted = RTCCVPixelBuffer(
        pixelBuffer: buffer.pixelBuffer, adaptedWidth: Int32(clamping: adaptation.width),
        adaptedHeight: Int32(clamping: adaptation.height), cropWidth: Int32(clamping: part.width),
        cropHeight: Int32(clamping: part.height), cropX: Int32(clamping: part.x),
        cropY: Int32(clamping: part.y))
    }
    return RTCVideoFrame(buffer: adapted, rotation: frame.rotation, timeStampNs: frame.timeStampNs)
  }

  /// Returns the scaled part of a frame; `nil` for a format or a size that is not supported, and without memory.
  private mutating func scale(
    _ source: CVPixelBuffer, part: PixelRect, to size: OutputFormat.Adaptation
  ) -> CVPixelBuffer? {
    guard NV12Scaler.canScale(source) else { return nil }
    do {
      let output = try pool.makeBuffer(
        width: size.width, height: size.height, pixelFormat: CVPixelBufferGetPixelFormatType(source))
      CVBufferPropagateAttachments(source, output)
      return scaler.scale(source, part: part, to: output) ? output : nil
    } catch {
      return nil
    }
  }
}
