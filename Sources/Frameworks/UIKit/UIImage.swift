import Foundation

/// An image that a view can show. Models the class of UIKit's UIImage.h for rendered images.
public final class UIImage: Sendable {
  /// The pixels; `nil` for an image of Core Image.
  public let cgImage: CGImage?
  /// The image of Core Image; `nil` for a rendered one.
  public let ciImage: CIImage?
  /// How the stored pixels relate to the upright image.
  public let imageOrientation: Orientation

  /// How stored pixels relate to the upright image.
  public enum Orientation: Int, Sendable {
    /// Stored upright.
    case up
    /// Stored rotated by 180°.
    case down
    /// Upright after 90° counter-clockwise.
    case left
    /// Upright after 90° clockwise.
    case right
    /// Stored mirrored left to right.
    case upMirrored
    /// Stored mirrored top to bottom.
    case downMirrored
    /// Rows and columns exchanged, along the diagonal from the top left.
    case leftMirrored
    /// Rows and columns exchanged, along the diagonal from the top right.
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

  /// Creates an image over pixels.
  public init(cgImage: CGImage) { (self.cgImage, ciImage, imageOrientation) = (cgImage, nil, .up) }

  /// Creates an image over pixels of an orientation. The scale has no effect.
  public init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation) {
    (self.cgImage, ciImage, imageOrientation) = (cgImage, nil, orientation)
  }

  /// Creates an image over one of Core Image.
  public init(ciImage: CIImage) { (cgImage, self.ciImage, imageOrientation) = (nil, ciImage, .up) }

  /// Creates an image over one of Core Image with an orientation. The scale has no effect.
  public init(ciImage: CIImage, scale: CGFloat, orientation: UIImage.Orientation) {
    (cgImage, self.ciImage, imageOrientation) = (nil, ciImage, orientation)
  }

  /// Creates an image of an encoded picture: JPEG. `nil` for other data.
  public convenience init?(data: Data) {
    guard let image = CIImage(data: data) else { return nil }
    self.init(ciImage: image)
  }

  /// The size of the upright image, in pixels.
  public var size: CGSize { upright.extent.size }

  /// Returns the upright image as JPEG of a quality from 0 to 1; `nil` without libjpeg.
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
