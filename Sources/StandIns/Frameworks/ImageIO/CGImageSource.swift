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
