import PixelAccess

/// A Core Video pixel buffer as the buffer of a frame, possibly a part of it at another size.
///
/// Part and size are a note for whoever reads the pixels: nothing is cropped or scaled before
/// ``cropAndScale(to:withTempBuffer:)``.
public final class RTCCVPixelBuffer: NSObject, RTCVideoFrameBuffer, Sendable {
  /// The pixels, all of them.
  public let pixelBuffer: CVPixelBuffer
  /// The left edge of the part, in pixels; even.
  public let cropX: Int32
  /// The top edge of the part, in pixels; even.
  public let cropY: Int32
  /// The width of the part, in pixels.
  public let cropWidth: Int32
  /// The height of the part, in pixels.
  public let cropHeight: Int32
  /// The width the part is to have, in pixels.
  public let width: Int32
  /// The height the part is to have, in pixels.
  public let height: Int32

  /// The whole of a pixel buffer.
  public convenience init(pixelBuffer: CVPixelBuffer) {
    // Core Video's limit of 16,384 pixels keeps sizes within 32 bits.
    let width = Int32(CVPixelBufferGetWidth(pixelBuffer))
    let height = Int32(CVPixelBufferGetHeight(pixelBuffer))
    self.init(
      pixelBuffer: pixelBuffer, adaptedWidth: width, adaptedHeight: height, cropWidth: width,
      cropHeight: height, cropX: 0, cropY: 0)
  }

  /// A part of a pixel buffer at another size. `cropX` and `cropY` are rounded down to even numbers, as the
  /// chroma has half the resolution.
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

  /// The pixel formats a buffer may have.
  public static func supportedPixelFormats() -> Set<NSNumber> {
    [
      NSNumber(value: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      NSNumber(value: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
      NSNumber(value: kCVPixelFormatType_32BGRA),
    ]
  }

  /// Whether the part is not the whole pixel buffer.
  public func requiresCropping() -> Bool {
    Int(cropWidth) != CVPixelBufferGetWidth(pixelBuffer)
      || Int(cropHeight) != CVPixelBufferGetHeight(pixelBuffer)
  }

  /// Whether the part is not of this size.
  public func requiresScaling(toWidth width: Int32, height: Int32) -> Bool {
    cropWidth != width || cropHeight != height
  }

  /// The bytes ``cropAndScale(to:withTempBuffer:)`` wants for the work: 0, where libwebrtc splits the chroma
  /// into planes of its own and needs room for them.
  public func bufferSizeForCroppingAndScaling(toWidth width: Int32, height: Int32) -> Int32 { 0 }

  /// Writes the part to all of `outputPixelBuffer`, scaled to its size. `tmpBuffer` is not used.
  /// - Returns: `false`, with nothing written, when a buffer is not 4:2:0 with two planes, the formats differ,
  ///   or the part is not within the pixel buffer.
  public func cropAndScale(
    to outputPixelBuffer: CVPixelBuffer, withTempBuffer tmpBuffer: UnsafeMutablePointer<UInt8>?
  ) -> Bool {
    NV12Scaler().scale(pixelBuffer, part: part, to: outputPixelBuffer)
  }

  var part: PixelRect {
    PixelRect(x: Int(cropX), y: Int(cropY), width: Int(cropWidth), height: Int(cropHeight))
  }

  /// This buffer's part of a part: `crop` counts in this buffer's own, adapted pixels.
  func part(for crop: PixelRect) -> PixelRect {
    func scaled(_ value: Int, by numerator: Int32, over denominator: Int32) -> Int {
      denominator > 0 ? value * Int(numerator) / Int(denominator) : 0
    }
    return PixelRect(
      x: Int(cropX) + (scaled(crop.x, by: cropWidth, over: width) & ~1),
      y: Int(cropY) + (scaled(crop.y, by: cropHeight, over: height) & ~1),
      width: scaled(crop.width, by: cropWidth, over: width),
      height: scaled(crop.height, by: cropHeight, over: height))
  }
}
