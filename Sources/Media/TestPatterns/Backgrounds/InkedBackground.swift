import PixelAccess

/// A background over which text is drawn in plain black and white.
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
