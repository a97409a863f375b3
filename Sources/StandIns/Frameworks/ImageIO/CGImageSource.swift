import CoreGraphics
import CoreVideo
import Foundation

// Models ImageIO/CGImageSource.h for JPEG.

public final class CGImageSource: Sendable {
  private let data: Data

  fileprivate init(_ data: Data) { self.data = data }

  /// Returns the only image of a JPEG.
  fileprivate func image() -> CGImage? {
    JPEG.decode(data).map {
      CGImage(width: CVPixelBufferGetWidth($0), height: CVPixelBufferGetHeight($0), pixels: $0)
    }
  }
}

/// The options have no effect.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource(data as Data)
}

/// Returns `nil` for an index other than 0, and for formats other than JPEG (logged). The options have no effect.
public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { index == 0 ? isrc.image() : nil }

public let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
  "kCGImageSourceCreateThumbnailFromImageAlways"
/// Without effect: an image is not rotated.
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"

/// Returns a scaled copy; `nil` without `kCGImageSourceCreateThumbnailFromImageAlways`, because thumbnails in a JPEG are not
/// read.
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  guard options?[kCGImageSourceCreateThumbnailFromImageAlways] as? Bool == true,
    let image = CGImageSourceCreateImageAtIndex(isrc, index, nil)
  else { return nil }
  let limit = Double(number: options?[kCGImageSourceThumbnailMaxPixelSize]) ?? .infinity
  let scale = min(1, limit / Double(max(image.width, image.height)))
  let sides = [image.width, image.height].map { Int((Double($0) * scale).rounded()) }
  let context = unsafe CGContext(
    data: nil, width: sides[0], height: sides[1], bitsPerComponent: 8, bytesPerRow: 0,
    space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: image.bitmapInfo.rawValue)
  context?.draw(image, in: CGRect(x: 0, y: 0, width: sides[0], height: sides[1]))
  return context?.makeImage()
}
