import CoreVideo
import PixelAccess

/// The content of a test pattern behind the burned-in text. Draws every visible byte of a plane.
protocol Background: Sendable {
  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)
  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Draws part of a luma row dark or bright, for the text and the mark.
  func drawOverlay(
    lit: Bool, columns: Range<Int>, row: Int, frame: UInt64, into plane: inout MutableSpan<UInt8>,
    shape: PlaneShape)

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

    func paint(
      frame: UInt64, into plane: inout MutableSpan<UInt8>, rowBytes: Int, shape: PlaneShape
    ) {
      for row in 0..<shape.height {
        let start = start(frame, row, shape.height)
        plane.copy(bytes.span.extracting(start..<start + rowBytes), to: row * shape.bytesPerRow)
      }
    }
  }

  let levels: SampleLevels
  let luma: Plane
  let chroma: Plane

  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    luma.paint(frame: frame, into: &plane, rowBytes: shape.width, shape: shape)
  }

  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    chroma.paint(frame: frame, into: &plane, rowBytes: shape.width * 2, shape: shape)
  }

  func drawOverlay(
    lit: Bool, columns: Range<Int>, row: Int, frame: UInt64, into plane: inout MutableSpan<UInt8>,
    shape: PlaneShape
  ) {
    let start = row * shape.bytesPerRow + columns.lowerBound
    plane.fill(start..<start + columns.count, with: lit ? levels.white : levels.black)
  }

  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    for row in area.y / 2..<(area.y + area.height + 1) / 2 {
      let start = row * shape.bytesPerRow + area.x
      plane.fill(start..<start + (area.width + 1) / 2 * 2, with: levels.neutral)
    }
  }
}
