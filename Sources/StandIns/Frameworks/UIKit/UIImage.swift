import Foundation

public final class UIImage: Sendable {
  public let cgImage: CGImage?
  public let ciImage: CIImage?
  public let imageOrientation: Orientation
  public let scale: CGFloat

  public enum Orientation: Int, Sendable {
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored

    fileprivate var stored: CGImagePropertyOrientation {
      let orders: [CGImagePropertyOrientation] = [
        .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
      ]
      return orders[rawValue]
    }
  }

  public init() { (cgImage, ciImage, imageOrientation, scale) = (nil, nil, .up, 1) }

  public init(cgImage: CGImage, scale: CGFloat = 1, orientation: UIImage.Orientation = .up) {
    (self.cgImage, ciImage, imageOrientation, self.scale) = (cgImage, nil, orientation, scale)
  }

  public init(ciImage: CIImage, scale: CGFloat = 1, orientation: UIImage.Orientation = .up) {
    (cgImage, self.ciImage, imageOrientation, self.scale) = (nil, ciImage, orientation, scale)
  }

  /// The emulator has no symbols: the image has no pixels.
  public convenience init?(systemName name: String) {
    guard !name.isEmpty else { return nil }
    self.init()
  }

  /// `nil` for data other than JPEG.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  /// `nil` for data other than JPEG.
  public convenience init?(data: Data, scale: CGFloat) {
    guard let image = CIImage(data: data) else { return nil }
    self.init(ciImage: image, scale: scale)
  }

  public var size: CGSize {
    guard let pixels = upright?.extent.size else { return .zero }
    return CGSize(width: pixels.width / scale, height: pixels.height / scale)
  }

  public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

  public func draw(in rect: CGRect) {
    let plain = imageOrientation == .up ? cgImage : nil
    guard let context = UIGraphicsGetCurrentContext(), let upright,
      let image = plain ?? CIContext().createCGImage(upright, from: upright.extent)
    else { return }
    context.saveGState()
    // In UIKit y points down; Core Graphics draws an image upwards.
    context.translateBy(x: rect.minX, y: rect.maxY)
    context.scaleBy(x: 1, y: -1)
    context.draw(image, in: CGRect(origin: .zero, size: rect.size))
    context.restoreGState()
  }

  /// Also returns `nil` if there is no libjpeg.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    upright.flatMap {
      CIContext().jpegRepresentation(
        of: $0, colorSpace: CGColorSpaceCreateDeviceRGB(),
        options: [kCGImageDestinationLossyCompressionQuality: Double(compressionQuality)])
    }
  }

  private var upright: CIImage? {
    (ciImage ?? cgImage.map { CIImage(cgImage: $0) })?.oriented(imageOrientation.stored)
  }
}
