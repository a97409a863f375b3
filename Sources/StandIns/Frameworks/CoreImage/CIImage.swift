import PixelAccess

/// Rotates, mirrors, scales and crops 4:2:0 frames. There are no filters here.
public final class CIImage: Sendable {
  struct Layer: Sendable {
    let content: Content
    /// From the content's rectangle to the image's coordinates.
    var transform = CGAffineTransform.identity
    var extent: CGRect
  }

  enum Content: Sendable {
    case pixels(CVPixelBuffer), colour(CIColor)
  }

  /// From bottom to top.
  let layers: [Layer]
  public let extent: CGRect
  public var colorSpace: CGColorSpace? { CGColorSpaceCreateDeviceRGB() }
  public var pixelBuffer: CVPixelBuffer? {
    guard layers.count == 1, layers[0].transform.isIdentity, case .pixels(let pixels) = layers[0].content
    else { return nil }
    return pixels
  }

  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]? = nil) {
    let size = CGSize(width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer))
    let extent = CGRect(origin: .zero, size: size)
    self.init([Layer(content: .pixels(pixelBuffer), extent: extent)], extent)
  }

  public convenience init(color: CIColor) {
    self.init([Layer(content: .colour(color), extent: .infinite)], .infinite)
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

  /// Returns `nil` for data other than JPEG, and if there is no libjpeg. The reason is logged.
  public convenience init?(data: Data) {
    guard let pixels = JPEG.decode(data) else { return nil }
    self.init(cvPixelBuffer: pixels)
  }

  private init(_ layers: [Layer], _ extent: CGRect) {
    self.layers = layers
    self.extent = extent
  }

  private func mapped(_ extent: CGRect, _ change: (inout Layer) -> Void) -> CIImage {
    var layers = layers
    for index in layers.indices { change(&layers[index]) }
    return CIImage(layers, extent)
  }

  public func transformed(by matrix: CGAffineTransform) -> CIImage {
    func moved(_ rect: CGRect) -> CGRect { rect == .infinite ? rect : rect.applying(matrix) }
    return mapped(moved(extent)) {
      $0.transform = $0.transform.concatenating(matrix)
      $0.extent = moved($0.extent)
    }
  }

  public func cropped(to rect: CGRect) -> CIImage {
    mapped(extent.common(with: rect)) { $0.extent = $0.extent.common(with: rect) }
  }

  /// This image is opaque here: its edges are at even pixels, and a translucent colour becomes darker.
  public func composited(over dest: CIImage) -> CIImage {
    CIImage(dest.layers + layers, extent == .infinite ? extent : extent.union(dest.extent))
  }

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
  /// Returns the intersection of two rectangles; the null rectangle if there is none, or if an edge is NaN.
  /// Foundation's `intersection` traps on NaN.
  func common(with other: CGRect) -> CGRect {
    let edges = [minX, maxX, minY, maxY, other.minX, other.maxX, other.minY, other.maxY]
    return edges.contains(where: \.isNaN) ? .null : intersection(other)
  }
}
