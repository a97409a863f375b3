import PixelAccess

/// Adapts frames to the size and the rate requested of a source.
struct FrameAdapter {
  private var framesPerSecond: Int32 = 0
  private var limiter: FrameRateLimiter?
  private var format: OutputFormat?
  private let scaler = NV12Scaler()
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
    return RTCVideoFrame(
      buffer: adapted(buffer, adaptation), rotation: frame.rotation, timeStampNs: frame.timeStampNs)
  }

  private mutating func adapted(
    _ buffer: RTCCVPixelBuffer, _ adaptation: OutputFormat.Adaptation
  ) -> RTCCVPixelBuffer {
    let part = buffer.part(for: adaptation.crop)
    // Without memory for a scaled frame, the renderer gets the whole frame and the part to show.
    if NV12Scaler.canScale(buffer.pixelBuffer),
      let output = try? pool.makeBuffer(
        width: adaptation.width, height: adaptation.height,
        pixelFormat: CVPixelBufferGetPixelFormatType(buffer.pixelBuffer)),
      scaler.scale(buffer.pixelBuffer, part: part, to: output)
    {
      return RTCCVPixelBuffer(pixelBuffer: output)
    }
    // The renderer crops and scales. Clamped, as the creator of a buffer may give it any part and size.
    return RTCCVPixelBuffer(
      pixelBuffer: buffer.pixelBuffer, adaptedWidth: Int32(clamping: adaptation.width),
      adaptedHeight: Int32(clamping: adaptation.height), cropWidth: Int32(clamping: part.width),
      cropHeight: Int32(clamping: part.height), cropX: Int32(clamping: part.x), cropY: Int32(clamping: part.y)
    )
  }
}
