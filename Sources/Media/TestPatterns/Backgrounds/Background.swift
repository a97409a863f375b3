import CoreVideo
import PixelAccess

/// The content of a test pattern behind the burned-in text.
protocol Background: Sendable {
  /// Draws every visible byte of plane 0 (luma) or 1 (chroma).
  func paint(_ index: Int, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Draws an area of the luma plane dark or bright, for the text and the mark.
  func drawOverlay(
    lit: Bool, _ area: PixelRect, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Removes the colour of a dark area. The area starts on even coordinates, and ends on even ones or at the edge of the
  /// frame.
  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape)
}

/// A background whose rows are parts of prepared bytes, with text in black and white.
struct PreparedBackground: Background {
  /// The bytes of a plane, and the offset in them at which a row of a frame starts. `rows` is the height of the plane.
  struct Plane: Sendable {
    var bytes: [UInt8]
    var start: @Sendable (_ frame: UInt64, _ row: Int, _ rows: Int) -> Int
  }

  let levels: PixelLevels
  let luma: Plane
  let chroma: Plane

  func paint(_ index: Int, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    let source = index == 0 ? luma : chroma
    for row in 0..<shape.height {
      let start = source.start(frame, row, shape.height)
      plane.copy(
        source.bytes.span.extracting(start..<start + shape.width * (index + 1)), to: row * shape.bytesPerRow)
    }
  }

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
      let start = row * shape.bytesPerRow + area.x
      plane.fill(start..<start + (area.width + 1) / 2 * 2, with: levels.neutral)
    }
  }
}
