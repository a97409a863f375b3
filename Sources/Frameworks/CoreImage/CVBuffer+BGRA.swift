import PixelAccess

extension CVBuffer {
  /// Copies a frame of 420f to a position in this one of 32BGRA; what does not fit is left out.
  func copyAsBGRA(_ source: CVPixelBuffer, toX x: Int, y: Int) {
    let matrix = source.colourMatrix
    source.readPlane(0) { luma, lumaShape in
      source.readPlane(1) { chroma, chromaShape in
        withMutablePlane(0) { target, shape in
          let (columns, rows) = (
            min(lumaShape.width, shape.width - x), min(lumaShape.height, shape.height - y)
          )
          guard columns > 0, rows > 0 else { return }
          for row in 0..<rows {
            for column in 0..<columns {
              let pair = row / 2 * chromaShape.bytesPerRow + column / 2 * 2
              let pixel = matrix.bgr(
                luma: luma[row * lumaShape.bytesPerRow + column], cb: chroma[pair], cr: chroma[pair + 1])
              let place = (y + row) * shape.bytesPerRow + 4 * (x + column)
              (target[place], target[place + 1], target[place + 2], target[place + 3]) =
                (pixel.0, pixel.1, pixel.2, 255)
            }
          }
        }
      }
    }
  }
}

extension ColourMatrix {
  /// Full-range samples as blue, green and red.
  fileprivate func bgr(luma: UInt8, cb: UInt8, cr: UInt8) -> (UInt8, UInt8, UInt8) {
    func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
    let light = Double(luma)
    let (b, r) = (light + 2 * (1 - blue) * (Double(cb) - 128), light + 2 * (1 - red) * (Double(cr) - 128))
    return (byte(b), byte((light - blue * b - red * r) / green), byte(r))
  }
}
