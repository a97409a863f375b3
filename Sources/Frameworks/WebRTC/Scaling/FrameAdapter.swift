import CoreMedia
import PixelAccess

/// Adapts frames to the size and the rate requested of a source.
struct FrameAdapter {
  private var framesPerSecond: Int32 = 0
  private var limiter: FrameRateLimiter?
  private var format: OutputFormat?
  private var scaler = NV12Scaler()
  /// The memory of scaled frames, of the latest size and format.
  private var pool: CVPixelBufferPool?

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
    if NV12Scaler.canScale(buffer.pixelBuffer),
      let output = makeBuffer(adaptation, CVPixelBufferGetPixelFormatType(buffer.pixelBuffer)),
      scaler.scale(buffer.pixelBuffer, part: part, to: output)
    {
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

  /// Returns a buffer for a scaled frame, or `nil` when there is no memory or Core Video does not support the size.
  private mutating func makeBuffer(_ size: OutputFormat.Adaptation, _ pixelFormat: OSType) -> CVPixelBuffer? {
    // UNSAFE: the out parameters are local variables.
    if pool?.makes(width: size.width, height: size.height, pixelFormat: pixelFormat) != true {
      pool = nil
      let attributes: CFDictionary = [
        kCVPixelBufferWidthKey: size.width, kCVPixelBufferHeightKey: size.height,
        kCVPixelBufferPixelFormatTypeKey: pixelFormat,
      ]
      _ = unsafe CVPixelBufferPoolCreate(nil, nil, attributes, &pool)
    }
    var buffer: CVPixelBuffer?
    if let pool { _ = unsafe CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) }
    return buffer
  }
}
