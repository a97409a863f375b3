import CoreVideo

extension StillBackground {
  /// Draws eight colour bars above a grey scale.
  static func bars(_ empty: Canvas) -> StillBackground {
    var picture = empty
    let (width, height) = picture.size
    let levels = picture.levels
    let colours: [(Double, Double, Double)] = [
      (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0),
    ]
    // Bars start on even columns, at the start of a chroma sample.
    let (pairs, steps, edge) = ((width + 1) / 2, 11, (height + 1) / 2 * 3 / 4 * 2)
    /// Fills part `index` of `count` parts. All parts together are `length` units of `unit` pixels wide.
    func fill(
      _ index: Int, of count: Int, _ length: Int, unit: Int, rows: Range<Int>, _ sample: PixelLevels.Sample
    ) {
      // The units for which `unit number × count ÷ length`, rounded down, is `index`.
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
}
