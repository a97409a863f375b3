import PixelAccess

extension CVBuffer {
  func mirrorRows() {
    for plane in 0..<2 {
      writePlane(plane) { bytes, shape in
        var line = [UInt8](repeating: 0, count: shape.bytesPerRow)
        for row in 0..<shape.height / 2 {
          let (top, bottom) = (row * shape.bytesPerRow, (shape.height - 1 - row) * shape.bytesPerRow)
          var copy = line.mutableSpan
          copy.copy(bytes.span.extracting(top..<top + shape.bytesPerRow))
          bytes.copyWithin(bottom..<bottom + shape.bytesPerRow, to: top)
          bytes.copy(line.span, to: bottom)
        }
      }
    }
  }

  /// Copies a 420v frame of the same size, converted to full range.
  func copyFullRange(of source: CVPixelBuffer) {
    copyPlanes(of: source)
    CVBufferPropagateAttachments(source, self)
    convert(from: .limited, to: .full)
  }

  /// Converts the samples from one range to another.
  func convert(from range: SampleRange, to other: SampleRange) {
    guard let tables = range.tables(to: other) else { return }
    for (plane, table) in [tables.luma, tables.chroma].enumerated() {
      writePlane(plane) { bytes, _ in bytes.translate(0..<bytes.count, by: table) }
    }
  }

  /// Copies a frame of the same format to a position in this frame. With two planes, the position is rounded down to
  /// even numbers. Pixels outside of this frame are skipped.
  func copyPart(of source: CVPixelBuffer, toX x: Int, y: Int) {
    let isPlanar = planeCount == 2
    for plane in 0..<planeCount {
      source.readPlane(plane) { bytes, from in
        writePlane(plane) { target, to in
          let (left, top) = isPlanar ? (x / 2 * 2 / (plane + 1), y / 2 * 2 / (plane + 1)) : (x, y)
          let size = isPlanar ? plane + 1 : 4
          let (columns, rows) = (min(from.width, to.width - left), min(from.height, to.height - top))
          guard columns > 0, rows > 0 else { return }
          target.copyRows(
            rows, of: bytes, every: from.bytesPerRow, to: top * to.bytesPerRow + left * size,
            toEvery: to.bytesPerRow, rowBytes: columns * size)
        }
      }
    }
  }
}
