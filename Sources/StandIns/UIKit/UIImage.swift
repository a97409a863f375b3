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
      let orders: [CGImagePropertyOrientation] = [
        .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
      ]
      return orders[rawValue]
    }
  }

  /// The scale has no effect.
  public init(cgImage: CGImage, scale: CGFloat = 1, orientation: UIImage.Orientation = .up) {
    (self.cgImage, ciImage, imageOrientation) = (cgImage, nil, orientation)
  }

  /// The scale has no effect.
  public init(ciImage: CIImage, scale: CGFloat = 1, orientation: UIImage.Orientation = .up) {
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
    guard let image = ciImage ?? cgImage.map({ CIImage(cgImage: $0) }) else {
      preconditionFailure("an image has pixels")
    }
    return image.oriented(imageOrientation.stored)
  }
}
