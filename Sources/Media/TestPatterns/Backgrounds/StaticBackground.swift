import PixelAccess

/// A constant image, drawn once and then copied: rows of coloured tiles, as on a home screen.
struct StaticBackground: InkedBackground {
  let ink: PlainInk
  private let width: Int
  /// The bytes of a row of chroma.
  private let chromaWidth: Int
  private var luma: [UInt8]
  private var chroma: [UInt8]

  init(width: Int, height: Int, levels: SampleLevels) {
    ink = PlainInk(width: width, levels: levels)
    self.width = width
    chromaWidth = (width + 1) / 2 * 2
    luma = []
    chroma = []
    luma.reserveCapacity(width * height)
    chroma.reserveCapacity(chromaWidth * ((height + 1) / 2))
    drawBackdrop(height: height, levels: levels)
    drawTiles(height: height, levels: levels)
  }

  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    plane.copyRows(shape.height, of: luma.span, every: width, toEvery: shape.bytesPerRow)
  }

  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    plane.copyRows(shape.height, of: chroma.span, every: chromaWidth, toEvery: shape.bytesPerRow)
  }

  /// Draws a vertical gradient.
  private mutating func drawBackdrop(height: Int, levels: SampleLevels) {
    for row in 0..<height {
      let share = Double(row) / Double(height)
      let sample = levels.sample(0.10 + 0.25 * share, 0.22 + 0.10 * share, 0.45 - 0.05 * share)
      luma += repeatElement(sample.luma, count: width)
      if row.isMultiple(of: 2) { chroma += Self.pairs(sample, count: chromaWidth / 2) }
    }
  }

  /// Draws tiles with round corners, four per row on a portrait screen.
  private mutating func drawTiles(height: Int, levels: SampleLevels) {
    let columns = height >= width ? 4 : 8
    let cell = width / columns & ~1
    let side = cell * 5 / 8 & ~1
    guard side >= 8 else { return }
    let colours: [(Double, Double, Double)] = [
      (0.95, 0.30, 0.25), (0.98, 0.62, 0.15), (0.96, 0.85, 0.30), (0.30, 0.75, 0.40), (0.20, 0.70, 0.85),
      (0.25, 0.45, 0.95), (0.55, 0.35, 0.85), (0.95, 0.45, 0.65), (0.90, 0.90, 0.92), (0.25, 0.27, 0.32),
      (0.55, 0.75, 0.30),
    ]
    let samples = colours.map { levels.sample($0.0, $0.1, $0.2) }
    let top = cell / 2
    for line in 0..<max(0, (height - top) / cell) {
      for column in 0..<columns {
        let sample = samples[(line * columns + column) % samples.count]
        drawTile(
          x: column * cell + (cell - side) / 2 & ~1, y: (top + line * cell) & ~1, side: side, sample: sample)
      }
    }
  }

  private mutating func drawTile(x: Int, y: Int, side: Int, sample: SampleLevels.Sample) {
    let light = [UInt8](repeating: sample.luma, count: side)
    let colour = Self.pairs(sample, count: side / 2)
    let radius = Double(side) * 0.22
    for row in 0..<side {
      let depth = Double(min(row, side - 1 - row)) + 0.5
      let inset =
        depth < radius
        ? Int(radius - (radius * radius - (radius - depth) * (radius - depth)).squareRoot()) & ~1 : 0
      let length = side - 2 * inset
      Self.put(light, length, into: &luma, at: (y + row) * width + x + inset)
      guard row.isMultiple(of: 2) else { continue }
      Self.put(colour, length, into: &chroma, at: (y + row) / 2 * chromaWidth + x + inset)
    }
  }

  private static func put(_ source: [UInt8], _ length: Int, into picture: inout [UInt8], at offset: Int) {
    var span = picture.mutableSpan
    span.copy(source.span.extracting(first: length), to: offset)
  }

  private static func pairs(_ sample: SampleLevels.Sample, count: Int) -> [UInt8] {
    (0..<count * 2).map { $0.isMultiple(of: 2) ? sample.cb : sample.cr }
  }
}
