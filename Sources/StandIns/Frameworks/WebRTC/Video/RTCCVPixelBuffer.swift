import CoreMedia
import PixelAccess

/// The crop and the size are only recorded for the reader of the pixels; ``cropAndScale(to:withTempBuffer:)`` applies them.
public final class RTCCVPixelBuffer: NSObject, RTCVideoFrameBuffer, Sendable {
  public let pixelBuffer: CVPixelBuffer
  public let cropX: Int32
  public let cropY: Int32
  public let cropWidth: Int32
  public let cropHeight: Int32
  public let width: Int32
  public let height: Int32

  public convenience init(pixelBuffer: CVPixelBuffer) {
    // Core Video's limit of 16,384 pixels keeps sizes within 32 bits.
    let width = Int32(CVPixelBufferGetWidth(pixelBuffer))
    let height = Int32(CVPixelBufferGetHeight(pixelBuffer))
    self.init(
      pixelBuffer: pixelBuffer, adaptedWidth: width, adaptedHeight: height, cropWidth: width,
      cropHeight: height, cropX: 0, cropY: 0)
  }

  /// `cropX` and `cropY` are rounded down to even numbers, because chroma has half the resolution.
  public init(
    pixelBuffer: CVPixelBuffer, adaptedWidth: Int32, adaptedHeight: Int32, cropWidth: Int32,
    cropHeight: Int32, cropX: Int32, cropY: Int32
  ) {
    self.pixelBuffer = pixelBuffer
    self.cropX = cropX & ~1
    self.cropY = cropY & ~1
    self.cropWidth = cropWidth
    self.cropHeight = cropHeight
    width = adaptedWidth
    height = adaptedHeight
  }

  public static func supportedPixelFormats() -> Set<NSNumber> {
    Set(
      [
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        kCVPixelFormatType_32BGRA,
      ].map { NSNumber(value: $0) })
  }

  public func requiresCropping() -> Bool {
    Int(cropWidth) != CVPixelBufferGetWidth(pixelBuffer)
      || Int(cropHeight) != CVPixelBufferGetHeight(pixelBuffer)
  }

  public func requiresScaling(toWidth width: Int32, height: Int32) -> Bool {
    cropWidth != width || cropHeight != height
  }

  /// Always zero. libwebrtc needs memory for separate chroma planes.
  public func bufferSizeForCroppingAndScaling(toWidth width: Int32, height: Int32) -> Int32 { 0 }

  /// `tmpBuffer` is not used.
  /// - Returns: `false`, without writing, if a buffer is not 420f or 420v, the formats differ, or the part is not within
  ///   the pixel buffer.
  public func cropAndScale(
    to outputPixelBuffer: CVPixelBuffer, withTempBuffer tmpBuffer: UnsafeMutablePointer<UInt8>?
  ) -> Bool {
    var scaler = NV12Scaler()
    return scaler.scale(pixelBuffer, part: part, to: outputPixelBuffer)
  }

  /// The crop, in pixels of the complete buffer.
  package var part: PixelRect {
    PixelRect(x: Int(cropX), y: Int(cropY), width: Int(cropWidth), height: Int(cropHeight))
  }
}
