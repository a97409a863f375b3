import CoreVideo

extension StillBackground {
  /// Eight colour bars above a grey scale.
  static func bars(_ empty: Canvas) -> StillBackground {
    var picture = empty
    let (width, height) = picture.size
    let levels = picture.levels
    let colours: [(Double, Double, Double)] = [
      (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0),
    ]
    // Bars start on even columns, together with a chroma sample.
    let (pairs, steps, edge) = ((width + 1) / 2, 11, (height + 1) / 2 * 3 / 4 * 2)
    /// Fills part `index` of `count`, of a width of `length` units of `unit` pixels.
    func fill(
      _ index: Int, of count: Int, _ length: Int, unit: Int, rows: Range<Int>, _ sample: PixelLevels.Sample
    ) {
      // The units whose number, times `count`, divided by `length`, is `index`.
      let (first, end) = ((index * length + count - 1) / count, ((index + 1) * length + count - 1) / count)
      picture.fill(
        PixelRect(x: first * unit, y: rows.lowerBound, width: (end - first) * unit, height: rows.count),
        sample)
    }
    for (index, colour) in colours.enumerated() {
      fill(
        index, of: colours.count, pairs, unit: 2, rows: 0..<edge,
        levels.sample(colour.0 * 0.75, colour.1 * 0.75, colour.2 * 0.75))
    }
    for step in 0..<steps {
      fill(
        step, of: steps, width, unit: 1, rows: edge..<height,
        levels.grey(Double(step) / Double(steps - 1)))
    }
    return StillBackground(picture: picture)
  }

  /// Rows of coloured tiles on a vertical gradient, as on a home screen.
  static func `static`(_ empty: Canvas) -> StillBackground {
    var picture = empty
    let (width, height) = picture.size
    let levels = picture.levels
    let colours: [(Double, Double, Double)] = [
      (0.95, 0.30, 0.25), (0.98, 0.62, 0.15), (0.96, 0.85, 0.30), (0.30, 0.75, 0.40), (0.20, 0.70, 0.85),
      (0.25, 0.45, 0.95), (0.55, 0.35, 0.85), (0.95, 0.45, 0.65), (0.90, 0.90, 0.92), (0.25, 0.27, 0.32),
      (0.55, 0.75, 0.30),
    ]
    // Rows of one colour together: a device that is held sideways stores a row as a column.
    var (start, colour) = (0, PixelLevels.Sample?.none)
    for row in stride(from: 0, through: (height + 1) / 2 * 2, by: 2) {
      let share = Double(row) / Double(height)
      let next = levels.sample(0.10 + 0.25 * share, 0.22 + 0.10 * share, 0.45 - 0.05 * share)
      guard next != colour || row >= height else { continue }
      if let colour { picture.fill(PixelRect(x: 0, y: start, width: width, height: row - start), colour) }
      (start, colour) = (row, next)
    }
    // Four tiles per row on a portrait screen, on even coordinates.
    let columns = height >= width ? 4 : 8
    let cell = max(2, width / columns & ~1)
    let (margin, side) = (cell * 3 / 16 & ~1, cell * 5 / 8 & ~1)
    for tile in 0..<height / cell * columns {
      let (line, column) = tile.quotientAndRemainder(dividingBy: columns)
      let colour = colours[tile % colours.count]
      picture.fill(
        PixelRect(x: column * cell + margin, y: line * cell + margin, width: side, height: side),
        levels.sample(colour.0, colour.1, colour.2))
    }
    return StillBackground(picture: picture)
  }
}
