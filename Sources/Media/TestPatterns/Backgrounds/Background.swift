import CoreVideo
import PixelAccess

/// The content of a test pattern behind the burned-in text.
protocol Background: Sendable {
  /// The memory of what was prepared.
  var byteCount: Int { get }

  /// Draws every visible byte of plane 0 (luma) or 1 (chroma).
  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Draws an area of the luma plane dark or bright, for the text and the mark.
  func drawOverlay(
    lit: Bool, _ area: PixelRect, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Removes the colour of a dark area, and of what shares a chroma sample with it.
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

/// A background whose rows are parts of prepared bytes. It has no top, and is not turned with the device.
struct PreparedBackground: BlackAndWhiteText {
  /// The bytes of a plane, and the offset in them at which a row of a frame starts.
  struct Plane: Sendable {
    var bytes: [UInt8]
    var start: @Sendable (_ frame: UInt64, _ row: Int) -> Int
  }

  let levels: PixelLevels
  let luma: Plane
  let chroma: Plane

  var byteCount: Int { luma.bytes.count + chroma.bytes.count }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    let source = index == 0 ? luma : chroma
    for row in 0..<shape.height {
      let start = source.start(frame, row)
      plane.copy(
        source.bytes.span.extracting(start..<start + shape.width * (index + 1)), to: row * shape.bytesPerRow)
    }
  }
}

/// A picture that stays the same.
struct StillBackground: BlackAndWhiteText {
  let picture: Canvas

  var levels: PixelLevels { picture.levels }
  var byteCount: Int { picture.byteCount }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    let (width, height) = picture.size
    picture.copy(
      PixelRect(x: 0, y: 0, width: width, height: height), toX: 0, y: 0, index, of: &plane, shape: shape)
  }
}
