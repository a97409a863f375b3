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

/// A background with text in black and white.
protocol InkedBackground: Background {
  var ink: PlainInk { get }
}

extension InkedBackground {
  func drawOverlay(
    lit: Bool, columns: Range<Int>, row: Int, frame: UInt64, into plane: inout MutableSpan<UInt8>,
    shape: PlaneShape
  ) {
    let source = lit ? ink.bright : ink.dark
    plane.copy(source.span.extracting(first: columns.count), to: row * shape.bytesPerRow + columns.lowerBound)
  }

  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    let source = ink.neutral.span.extracting(first: (area.width + 1) / 2 * 2)
    for row in area.y / 2..<(area.y + area.height + 1) / 2 {
      plane.copy(source, to: row * shape.bytesPerRow + area.x)
    }
  }
}

/// Rows of one value, to copy from.
struct PlainInk: Sendable {
  let dark: [UInt8]
  let bright: [UInt8]
  /// A row of chroma pairs: one byte longer than an odd width.
  let neutral: [UInt8]

  init(width: Int, levels: SampleLevels) {
    dark = Array(repeating: levels.black, count: width)
    bright = Array(repeating: levels.white, count: width)
    neutral = Array(repeating: levels.neutral, count: (width + 1) / 2 * 2)
  }
}
