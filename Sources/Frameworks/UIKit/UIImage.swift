import Foundation

public final class UIImage: Sendable {
  public let cgImage: CGImage?
  public let ciImage: CIImage?
  public let imageOrientation: Orientation

  public enum Orientation: Int, Sendable {
    case up
    case down
    case left
    case right
    case upMirrored
    case downMirrored
    case leftMirrored
    case rightMirrored

    fileprivate var stored: CGImagePropertyOrientation {
      switch self {
      case .up: .up
      case .down: .down
      case .left: .left
      case .right: .right
      case .upMirrored: .upMirrored
      case .downMirrored: .downMirrored
      case .leftMirrored: .leftMirrored
      case .rightMirrored: .rightMirrored
      }
    }
  }

  public init(cgImage: CGImage) { (self.cgImage, ciImage, imageOrientation) = (cgImage, nil, .up) }

  /// The scale has no effect.
  public init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation) {
    (self.cgImage, ciImage, imageOrientation) = (cgImage, nil, orientation)
  }

  public init(ciImage: CIImage) { (cgImage, self.ciImage, imageOrientation) = (nil, ciImage, .up) }

  /// The scale has no effect.
  public init(ciImage: CIImage, scale: CGFloat, orientation: UIImage.Orientation) {
    (cgImage, self.ciImage, imageOrientation) = (nil, ciImage, orientation)
  }

  /// `nil` for data other than JPEG.
  public convenience init?(data: Data) {
    guard let image = CIImage(data: data) else { return nil }
    self.init(ciImage: image)
  }

  /// In pixels: the scale has no effect.
  public var size: CGSize { upright.extent.size }

  /// `nil` also without libjpeg.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    CIContext().jpegRepresentation(
      of: upright, colorSpace: CGColorSpaceCreateDeviceRGB(),
      options: [kCGImageDestinationLossyCompressionQuality: Double(compressionQuality)])
  }

  private var upright: CIImage {
    guard let image = ciImage ?? cgImage.map(CIImage.init(cgImage:)) else {
      preconditionFailure("an image has pixels")
    }
    return image.oriented(imageOrientation.stored)
  }
}
