import CoreVideo

/// The clockwise rotation, in degrees, that shows a stored frame upright.
package enum PictureRotation: Int, CaseIterable, Sendable {
  case none = 0
  /// A quarter turn: the left edge becomes the top.
  case quarter = 90
  case half = 180
  /// Three quarter turns: the right edge becomes the top.
  case threeQuarters = 270

  /// Creates the rotation that shows the frames of a held device upright. The orientation names the edge of the portrait
  /// buffer where the top of the content is: `right` is the right edge, the inverse of EXIF. Devices report no mirrored
  /// orientations; here they rotate like the others.
  package init(_ orientation: CGImagePropertyOrientation) {
    self =
      switch orientation {
      case .up, .upMirrored: .none
      case .left, .leftMirrored: .quarter
      case .down, .downMirrored: .half
      case .right, .rightMirrored: .threeQuarters
      }
  }

  package func uprightSize(width: Int, height: Int) -> (width: Int, height: Int) {
    switch self {
    case .none, .half: (width, height)
    case .quarter, .threeQuarters: (height, width)
    }
  }

  /// Returns the position in the stored frame for `x`, `y` of the upright frame. `width` and `height` are the size
  /// of the stored frame.
  package func storedPixel(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .none: (x, y)
    case .quarter: (y, height - 1 - x)
    case .half: (width - 1 - x, height - 1 - y)
    case .threeQuarters: (width - 1 - y, x)
    }
  }

  /// Returns the rectangle in the stored frame for a part of the upright frame. `width` and `height` are the size
  /// of the stored frame.
  package func storedRect(_ part: PixelRect, width: Int, height: Int) -> PixelRect {
    switch self {
    case .none: part
    case .quarter:
      PixelRect(x: part.y, y: height - part.x - part.width, width: part.height, height: part.width)
    case .half:
      PixelRect(
        x: width - part.x - part.width, y: height - part.y - part.height, width: part.width,
        height: part.height)
    case .threeQuarters:
      PixelRect(x: width - part.y - part.height, y: part.x, width: part.height, height: part.width)
    }
  }
}
