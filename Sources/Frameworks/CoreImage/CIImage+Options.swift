/// Without effect.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let colorSpace = CIImageOption(rawValue: "kCIImageColorSpace")
  public static let properties = CIImageOption(rawValue: "kCIImageProperties")
  public static let applyOrientationProperty = CIImageOption(rawValue: "kCIImageApplyOrientationProperty")
}

extension CIImage {
  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]?) {
    self.init(cvPixelBuffer: pixelBuffer)
  }

  public convenience init(cvImageBuffer imageBuffer: CVImageBuffer, options: [CIImageOption: Any]?) {
    self.init(cvPixelBuffer: imageBuffer)
  }

  public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]?) {
    self.init(cgImage: image)
  }
}
