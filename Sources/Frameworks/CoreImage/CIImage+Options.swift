/// An option of an image. Models the structure of CoreImage's CIImage.h; without effect.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
  /// The option's name.
  public let rawValue: String
  /// Creates an option from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The meaning of the colours.
  public static let colorSpace = CIImageOption(rawValue: "kCIImageColorSpace")
  /// Properties of the picture.
  public static let properties = CIImageOption(rawValue: "kCIImageProperties")
  /// Whether the orientation of the properties is applied.
  public static let applyOrientationProperty = CIImageOption(rawValue: "kCIImageApplyOrientationProperty")
}

extension CIImage {
  /// Creates an image of a pixel buffer, which is retained and not copied.
  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]?) {
    self.init(cvPixelBuffer: pixelBuffer)
  }

  /// Creates an image of a pixel buffer, which is retained and not copied.
  public convenience init(cvImageBuffer imageBuffer: CVImageBuffer, options: [CIImageOption: Any]?) {
    self.init(cvPixelBuffer: imageBuffer)
  }

  /// Creates an image that shows another one.
  public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]?) {
    self.init(cgImage: image)
  }
}
