import PixelAccess

extension CVBuffer {
  /// Reverses the order of the rows.
  func mirrorRows() {
    for plane in 0..<2 {
      writePlane(plane) { bytes, shape in
        var line = [UInt8](repeating: 0, count: shape.bytesPerRow)
        for row in 0..<shape.height / 2 {
          let (top, bottom) = (row * shape.bytesPerRow, (shape.height - 1 - row) * shape.bytesPerRow)
          for index in line.indices {
            line[index] = bytes[top + index]
            bytes[top + index] = bytes[bottom + index]
            bytes[bottom + index] = line[index]
          }
        }
      }
    }
  }

  /// Copies the pixels of a frame of 420v of the same size in full range.
  func copyFullRange(of source: CVPixelBuffer) {
    let tables = [(16, 219), (128, 224)].map { zero, range in
      (0..<256).map { value in
        let scaled = (Double(value - zero) * 255 / Double(range)).rounded() + (zero == 128 ? 128 : 0)
        return UInt8(min(max(scaled, 0), 255))
      }
    }
    for plane in 0..<2 {
      let table = tables[plane]
      source.readPlane(plane) { bytes, from in
        writePlane(plane) { target, to in
          for row in 0..<to.height {
            for column in 0..<to.width * (plane + 1) {
              target[row * to.bytesPerRow + column] = table[Int(bytes[row * from.bytesPerRow + column])]
            }
          }
        }
      }
    }
  }

  /// Copies a frame of the same format to a position in this one, rounded down to even numbers; what does not fit is left
  /// out.
  func copyPart(of source: CVPixelBuffer, toX x: Int, y: Int) {
    for plane in 0..<2 {
      source.readPlane(plane) { bytes, from in
        writePlane(plane) { target, to in
          let (left, top) = (x / 2 * 2 / (plane + 1), y / 2 * 2 / (plane + 1))
          let columns = min(from.width, to.width - left) * (plane + 1)
          for row in 0..<max(0, min(from.height, to.height - top)) {
            for column in 0..<max(0, columns) {
              target[(top + row) * to.bytesPerRow + left * (plane + 1) + column] =
                bytes[row * from.bytesPerRow + column]
            }
          }
        }
      }
    }
  }
}
