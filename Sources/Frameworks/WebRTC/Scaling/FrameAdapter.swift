import PixelAccess

/// Brings frames to the size and the rate a source was asked for.
struct FrameAdapter {
  private var framesPerSecond: Int32 = 0
  private var limiter: FrameRateLimiter?
  private var format: OutputFormat?
  private let scaler = NV12Scaler()
  private var pool = AdaptivePixelBufferPool()

  /// Asks for another size and rate. Frames are counted anew only when the rate changes.
  mutating func request(width: Int32, height: Int32, framesPerSecond: Int32) {
    format = OutputFormat(width: width, height: height)
    guard framesPerSecond != self.framesPerSecond else { return }
    self.framesPerSecond = framesPerSecond
    limiter = FrameRateLimiter(framesPerSecond: framesPerSecond)
  }

  /// The frame as asked for; `nil` when the rate leaves it out.
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
    if NV12Scaler.canScale(buffer.pixelBuffer),
      let output = try? pool.makeBuffer(
        width: adaptation.width, height: adaptation.height,
        pixelFormat: CVPixelBufferGetPixelFormatType(buffer.pixelBuffer)),
      scaler.scale(buffer.pixelBuffer, part: part, to: output)
    {
      return RTCCVPixelBuffer(pixelBuffer: output)
    }
    // Clamping, as a buffer's note of part and size is its maker's and may be nonsense.
    return RTCCVPixelBuffer(
      pixelBuffer: buffer.pixelBuffer, adaptedWidth: Int32(clamping: adaptation.width),
      adaptedHeight: Int32(clamping: adaptation.height), cropWidth: Int32(clamping: part.width),
      cropHeight: Int32(clamping: part.height), cropX: Int32(clamping: part.x), cropY: Int32(clamping: part.y)
    )
  }
}
