import PixelAccess

/// Reads the pixels of a stored frame as they appear upright, in red, green and blue.
struct UprightPixels {
  let rotation: PictureRotation
  private let colours: ColourConversion

  init(rotation: PictureRotation, matrix: ColourMatrix, range: SampleRange) {
    self.rotation = rotation
    colours = ColourConversion(matrix, range: range)
  }

  /// Writes row `y` of the upright frame into `row`, three bytes per pixel.
  func copyRow(
    _ y: Int, from luma: Span<UInt8>, _ lumaShape: PlaneShape, _ chroma: Span<UInt8>,
    _ chromaShape: PlaneShape, into row: inout [UInt8]
  ) {
    let (width, height) = (lumaShape.width, lumaShape.height)
    var at = rotation.storedPixel(x: 0, y: y, width: width, height: height)
    let next = rotation.storedPixel(x: 1, y: y, width: width, height: height)
    let step = (x: next.x - at.x, y: next.y - at.y)
    for x in 0..<row.count / 3 {
      let pair = (at.y / 2) * chromaShape.bytesPerRow + (at.x / 2) * 2
      let pixel = colours.rgb(
        luma: luma[at.y * lumaShape.bytesPerRow + at.x], cb: chroma[pair], cr: chroma[pair + 1])
      row[x * 3] = pixel.red
      row[x * 3 + 1] = pixel.green
      row[x * 3 + 2] = pixel.blue
      at = (at.x + step.x, at.y + step.y)
    }
  }
}
