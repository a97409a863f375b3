import CoreVideo
import PixelAccess

/// The content of a test pattern behind the burned-in text.
protocol Background: Sendable {
  /// The memory of prepared content, in bytes.
  var byteCount: Int { get }

  /// Draws every visible byte of plane 0 (luma) or 1 (chroma).
  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Draws an area of the luma plane dark or bright, for the text and the mark.
  func drawOverlay(
    lit: Bool, _ area: PixelRect, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Removes the colour of a dark area, including pixels that share a chroma sample with it.
  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape)
}

/// A background with text in black and white.
protocol BlackAndWhiteText: Background {
  var levels: PixelLevels { get }
}

extension BlackAndWhiteText {
  func drawOverlay(
    lit: Bool, _ area: PixelRect, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    for row in area.rows {
      let start = row * shape.bytesPerRow + area.x
      plane.fill(start..<start + area.width, with: lit ? levels.white : levels.black)
    }
  }

  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    for row in area.y / 2..<(area.y + area.height + 1) / 2 {
      let start = row * shape.bytesPerRow
      plane.fill(
        start + area.x / 2 * 2..<start + (area.x + area.width + 1) / 2 * 2, with: levels.neutral)
    }
  }
}

/// An image that stays the same.
struct StillBackground: BlackAndWhiteText {
  let picture: Canvas

  var levels: PixelLevels { picture.levels }
  var byteCount: Int { picture.byteCount }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    let (width, height) = picture.size
    picture.copy(
      PixelRect(x: 0, y: 0, width: width, height: height), index, of: &plane, shape: shape)
  }
}
