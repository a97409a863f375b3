import Foundation
import PixelAccess

/// Renders 420f and 420v images into 420f frames: crops and scales, then mirrors and rotates.
///
/// It rotates by right angles only. Images with other rotations are logged, and not rendered. Use it on one thread at a time.
struct Renderer: ~Copyable {
  private var scaler = NV12Scaler()
  private var turner = PictureTurner()

  /// Renders a part of an image, in the image's coordinates, rounded to whole pixels. Returns `nil` if the part has no
  /// pixels or a size that a pixel buffer cannot have, and for other formats.
  mutating func render(_ image: CIImage, from rect: CGRect) -> CVPixelBuffer? {
    let part = image.extent.common(with: rect)
    guard part.isRenderable else { return nil }
    guard image.layers.count > 1 else { return render(image.layers[0], part) }
    let (width, height) = (Int(part.width.rounded()), Int(part.height.rounded()))
    guard width > 0, height > 0, let target = CIColor.black.frame(width: width, height: height) else {
      return nil
    }
    for layer in image.layers {
      let own = layer.extent.common(with: part)
      guard own.width >= 1, own.height >= 1 else { continue }
      guard let pixels = render(layer, own) else { return nil }
      pixels.convert(to: target.colourMatrix)
      target.copyPart(
        of: pixels, toX: Int((own.minX - part.minX).rounded()), y: Int((part.maxY - own.maxY).rounded()))
    }
    return target
  }

  private mutating func render(_ image: CIImage.Layer, _ part: CGRect) -> CVPixelBuffer? {
    let (width, height) = (Int(part.width.rounded()), Int(part.height.rounded()))
    guard width > 0, height > 0 else { return nil }
    let stored: CVPixelBuffer
    switch image.content {
    case .colour(let colour): return colour.frame(width: width, height: height)
    case .pixels(let pixels): stored = pixels
    }
    let whole = CGRect(
      x: 0, y: 0, width: CVPixelBufferGetWidth(stored), height: CVPixelBufferGetHeight(stored))
    guard NV12Scaler.canScale(stored), let inverse = image.transform.inverse else { return nil }
    let source = part.applying(inverse).common(with: whole)
    guard source.isRenderable else { return nil }

    guard image.transform.isRightAngled else {
      ImageLog.report(
        "CIContext renders no image that is skewed, or rotated by an angle other than a multiple of 90°")
      return nil
    }

    // The mapping is a vertical mirroring, if any, and then a rotation. A quarter turn has its factors in b and c. It
    // is clockwise if b is negative, because y points up.
    let transform = image.transform
    let isQuarter = abs(transform.b) > abs(transform.a)
    let isMirrored = transform.determinant < 0
    let isHalf = isMirrored ? transform.d > 0 : transform.d < 0
    let rotation: PictureRotation =
      if isQuarter { transform.b < 0 ? .quarter : .threeQuarters } else { isHalf ? .half : .none }

    stored.lockForHardware()
    defer { CVPixelBufferUnlockBaseAddress(stored, .readOnly) }
    guard
      let scaled = scale(
        stored, part: source.pixels(in: whole),
        width: isQuarter ? height : width, height: isQuarter ? width : height)
    else { return nil }
    CVBufferPropagateAttachments(stored, scaled)
    if isMirrored { scaled.mirrorRows() }
    do { return try turner.turn(scaled, by: rotation) } catch {
      NSLog("%@", "The image cannot be rendered: \(error)")
      return nil
    }
  }

  private mutating func scale(_ pixels: CVPixelBuffer, part: PixelRect, width: Int, height: Int)
    -> CVPixelBuffer?
  {
    let format = CVPixelBufferGetPixelFormatType(pixels)
    guard let output = CVPixelBuffer.make(width: width, height: height, pixelFormat: format),
      scaler.scale(pixels, part: part, to: output)
    else { return nil }
    guard format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else { return output }
    guard let full = CVPixelBuffer.make(width: width, height: height) else { return nil }
    full.copyFullRange(of: output)
    return full
  }
}

extension CGAffineTransform {
  /// Whether vertical edges stay vertical or become horizontal, within a fraction of a pixel.
  fileprivate var isRightAngled: Bool {
    let (straight, crossed) = (max(abs(a), abs(d)), max(abs(b), abs(c)))
    return min(straight, crossed) <= 1e-5 * max(straight, crossed)
  }
}

extension CGRect {
  /// Whether the numbers are finite, and a pixel buffer can have this size.
  fileprivate var isRenderable: Bool {
    !isNull && minX.isFinite && minY.isFinite && width <= 16_384 && height <= 16_384
  }

  /// Returns the rectangle within `whole` with y from the top. The left and the top are even for the chroma.
  fileprivate func pixels(in whole: CGRect) -> PixelRect {
    let left = Int(minX.rounded()) & ~1
    let top = Int((whole.height - maxY).rounded()) & ~1
    return PixelRect(
      x: left, y: top, width: min(Int(width.rounded()), Int(whole.width) - left),
      height: min(Int(height.rounded()), Int(whole.height) - top))
  }
}
