import PixelAccess

/// Turns, mirrors, scales and crops frames in 4:2:0; there are no filters here.
public final class CIImage: Sendable {
  /// The pixels, without the transform.
  let pixels: CVPixelBuffer
  /// From the pixels' rectangle to the image's coordinates.
  let transform: CGAffineTransform
  public let extent: CGRect
  public var colorSpace: CGColorSpace? { CGColorSpaceCreateDeviceRGB() }
  public var pixelBuffer: CVPixelBuffer? { transform.isIdentity ? pixels : nil }

  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]? = nil) {
    let size = CGSize(width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer))
    self.init(pixelBuffer, .identity, CGRect(origin: .zero, size: size))
  }

  public convenience init(cvImageBuffer imageBuffer: CVImageBuffer, options: [CIImageOption: Any]? = nil) {
    self.init(cvPixelBuffer: imageBuffer)
  }

  public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]? = nil) {
    guard let pixels = image.pixels.convertedToBiPlanar() else {
      preconditionFailure("no memory for an image")
    }
    self.init(cvPixelBuffer: pixels)
  }

  /// `nil` for data other than JPEG, and without libjpeg, which is reported.
  public convenience init?(data: Data) {
    guard let pixels = JPEG.decode(data) else { return nil }
    self.init(cvPixelBuffer: pixels)
  }

  init(_ pixels: CVPixelBuffer, _ transform: CGAffineTransform, _ extent: CGRect) {
    (self.pixels, self.transform, self.extent) = (pixels, transform, extent)
  }

  public func transformed(by matrix: CGAffineTransform) -> CIImage {
    CIImage(pixels, transform.concatenating(matrix), extent.applying(matrix))
  }

  public func cropped(to rect: CGRect) -> CIImage { CIImage(pixels, transform, extent.common(with: rect)) }

  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    transformed(by: orientationTransform(for: orientation))
  }

  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    oriented(CGImagePropertyOrientation(rawValue: UInt32(bitPattern: orientation)) ?? .up)
  }

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
