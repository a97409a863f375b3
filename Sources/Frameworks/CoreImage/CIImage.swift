import PixelAccess

/// A picture and what is to be done with it: turning, mirroring, scaling, cropping. Models the class of CoreImage's
/// CIImage.h for frames in 4:2:0.
///
/// Coordinates start at the lower left, and `y` points up.
public final class CIImage: Sendable {
  /// The pixels, without the transform.
  let pixels: CVPixelBuffer
  /// From the pixels' rectangle to the image's coordinates.
  let transform: CGAffineTransform
  /// The rectangle of the image.
  public let extent: CGRect
  /// The meaning of the colours.
  public var colorSpace: CGColorSpace? { CGColorSpaceCreateDeviceRGB() }
  /// The pixel buffer of an image that nothing was done to.
  public var pixelBuffer: CVPixelBuffer? { transform.isIdentity ? pixels : nil }

  /// Creates an image of a pixel buffer, which is retained and not copied.
  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer) {
    let size = CGSize(width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer))
    self.init(pixelBuffer, .identity, CGRect(origin: .zero, size: size))
  }

  /// Creates an image of a pixel buffer, which is retained and not copied.
  public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) { self.init(cvPixelBuffer: imageBuffer) }

  /// Creates an image that shows a rendered one.
  public convenience init(cgImage image: CGImage) {
    guard let pixels = image.pixels.convertedToBiPlanar() else {
      preconditionFailure("no memory for an image")
    }
    self.init(cvPixelBuffer: pixels)
  }

  /// Creates an image of an encoded picture: JPEG. `nil` for other data and without libjpeg, which is reported.
  public convenience init?(data: Data) {
    guard let pixels = JPEG.decode(data) else { return nil }
    self.init(cvPixelBuffer: pixels)
  }

  init(_ pixels: CVPixelBuffer, _ transform: CGAffineTransform, _ extent: CGRect) {
    (self.pixels, self.transform, self.extent) = (pixels, transform, extent)
  }

  /// Returns the image after a mapping of its coordinates.
  public func transformed(by matrix: CGAffineTransform) -> CIImage {
    CIImage(pixels, transform.concatenating(matrix), extent.applying(matrix))
  }

  /// Returns the part of the image in a rectangle.
  public func cropped(to rect: CGRect) -> CIImage { CIImage(pixels, transform, extent.common(with: rect)) }

  /// Returns an upright image of pixels that are stored in this orientation.
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    transformed(by: orientationTransform(for: orientation))
  }

  /// Returns the image upright; the orientation is a number of EXIF, 1 to 8.
  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    oriented(CGImagePropertyOrientation(rawValue: UInt32(bitPattern: orientation)) ?? .up)
  }

  /// Returns the mapping that shows pixels of this orientation upright, with the lower left at 0, 0.
  public func orientationTransform(for orientation: CGImagePropertyOrientation) -> CGAffineTransform {
    let linear: (a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat) =
      switch orientation {
      case .up: (1, 0, 0, 1)
      case .upMirrored: (-1, 0, 0, 1)
      case .down: (-1, 0, 0, -1)
      case .downMirrored: (1, 0, 0, -1)
      case .leftMirrored: (0, -1, -1, 0)
      case .right: (0, -1, 1, 0)
      case .rightMirrored: (0, 1, 1, 0)
      case .left: (0, 1, -1, 0)
      }
    let turn = CGAffineTransform(a: linear.a, b: linear.b, c: linear.c, d: linear.d, tx: 0, ty: 0)
    let turned = extent.applying(turn)
    return turn.concatenating(CGAffineTransform(translationX: -turned.minX, y: -turned.minY))
  }
}

extension CGRect {
  /// Returns the common part of two rectangles; the null rectangle without one, and for edges that are not numbers, on which
  /// Foundation's `intersection` traps.
  func common(with other: CGRect) -> CGRect {
    let edges = [minX, maxX, minY, maxY, other.minX, other.maxX, other.minY, other.maxY]
    return edges.contains(where: \.isNaN) ? .null : intersection(other)
  }
}
