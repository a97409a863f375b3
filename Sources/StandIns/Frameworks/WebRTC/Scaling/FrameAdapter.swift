import CoreMedia
import PixelAccess

/// Adapts frames to the size and the rate requested from a source. The pixels do not change: the crop and the size are
/// recorded next to them.
struct FrameAdapter {
  private var limiter: FrameRateLimiter?
  private var format = OutputFormat()
  private var aligner = TimestampAligner()

  /// Sets the size and the rate. The deadlines of the rate restart.
  mutating func request(width: Int32, height: Int32, framesPerSecond: Int32) {
    format = OutputFormat(width: width, height: height)
    limiter = FrameRateLimiter(framesPerSecond: framesPerSecond)
  }

  /// Returns the adapted frame; `nil` if the request drops the frame.
  ///
  /// - Parameter now: the time of the call's clock, in nanoseconds.
  mutating func adapt(_ frame: RTCVideoFrame, now: Int64) -> RTCVideoFrame? {
    let time = aligner.translate(frame.timeStampNs / 1_000, now: now / 1_000) * 1_000
    guard !format.dropsAll, limiter?.keeps(frame.timeStampNs) ?? true else { return nil }
    guard let buffer = frame.buffer as? RTCCVPixelBuffer else {
      return RTCVideoFrame(buffer: frame.buffer, rotation: frame.rotation, timeStampNs: time)
    }
    guard let adaptation = format.adaptation(width: Int(buffer.width), height: Int(buffer.height)) else {
      return nil
    }
    return RTCVideoFrame(buffer: buffer.adapted(adaptation), rotation: frame.rotation, timeStampNs: time)
  }
}

extension RTCCVPixelBuffer {
  /// Returns the buffer with a crop and a size of ``OutputFormat``; the same buffer if it has that size.
  ///
  /// As in libwebrtc, the crop of a buffer that is already scaled is taken from its unscaled pixels.
  fileprivate func adapted(_ adaptation: OutputFormat.Adaptation) -> RTCCVPixelBuffer {
    let crop = adaptation.crop
    // The creator of a buffer may give it any crop and size.
    let (width, height) = (Int32(clamping: adaptation.width), Int32(clamping: adaptation.height))
    guard width != self.width || height != self.height else { return self }
    return RTCCVPixelBuffer(
      pixelBuffer: pixelBuffer, adaptedWidth: width, adaptedHeight: height,
      cropWidth: Int32(clamping: crop.width), cropHeight: Int32(clamping: crop.height),
      cropX: Int32(clamping: crop.x + Int(cropX)), cropY: Int32(clamping: crop.y + Int(cropY)))
  }
}
