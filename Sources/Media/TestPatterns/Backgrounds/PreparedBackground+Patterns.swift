import Foundation

extension PreparedBackground {
  /// Eight colour bars above a grey scale. Each row is one of two prepared rows.
  static func bars(width: Int, levels: PixelLevels) -> PreparedBackground {
    let colours: [(Double, Double, Double)] = [
      (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0),
    ]
    let samples = colours.map { levels.sample($0.0 * 0.75, $0.1 * 0.75, $0.2 * 0.75) }
    // Bars start on even columns, together with a chroma sample.
    let (pairs, steps) = ((width + 1) / 2, 11)
    let bars = (0..<pairs).map { samples[$0 * samples.count / pairs] }
    let greys = (0..<width).map { levels.luma(Double($0 * steps / width) / Double(steps - 1)) }
    let neutral = [UInt8](repeating: levels.neutral, count: pairs * 2)
    return PreparedBackground(
      levels: levels,
      luma: Plane(bytes: (0..<width).map { bars[$0 / 2].luma } + greys) { _, row, rows in
        row < (rows + 1) / 2 * 3 / 4 * 2 ? 0 : width
      },
      chroma: Plane(bytes: bars.flatMap { [$0.cb, $0.cr] } + neutral) { _, row, rows in
        row < rows * 3 / 4 ? 0 : pairs * 2
      })
  }

  /// A diagonal gradient that moves with the frame number: each row is a window into a row twice as long.
  static func gradient(width: Int, levels: PixelLevels) -> PreparedBackground {
    // One period per width, so that a window at any place has no seam.
    func wave(_ column: Int, _ period: Int) -> Double {
      (1 - cos(2 * Double.pi * Double(column % period) / Double(period))) / 2
    }
    let pairs = (width + 1) / 2
    let luma = (0..<width * 2).map { levels.luma(0.12 + 0.76 * wave($0, width)) }
    let chroma = (0..<pairs * 2).flatMap { pair in
      [pair, pair + pairs / 3].map { levels.chroma(0.3 * (wave($0, pairs) - 0.5)) }
    }
    // The columns of movement per frame.
    let step = max(1, width / 240)
    return PreparedBackground(
      levels: levels,
      luma: Plane(bytes: luma) { frame, row, _ in (row + Int(frame % UInt64(width)) * step) % width },
      // Along the other diagonal, at half the speed.
      chroma: Plane(bytes: chroma) { frame, row, _ in
        (pairs + Int(frame % UInt64(pairs)) * step % pairs - row / 2 % pairs) % pairs * 2
      })
  }

  /// Random luma without colour. Each row is a window at a random place of prepared random bytes; frame and row determine
  /// the place, so a frame is the same in every run.
  static func noise(width: Int, levels: PixelLevels) -> PreparedBackground {
    let places = 1 << 16
    var generator = SplitMix(state: 0x5EED)
    let bytes = (0..<places + width).map { _ in
      UInt8.random(in: levels.black...levels.white, using: &generator)
    }
    let neutral = [UInt8](repeating: levels.neutral, count: width + 1)
    return PreparedBackground(
      levels: levels,
      luma: Plane(bytes: bytes) { frame, row, _ in
        var generator = SplitMix(state: frame << 16 ^ UInt64(row))
        return Int(generator.next() % UInt64(places))
      },
      chroma: Plane(bytes: neutral) { _, _, _ in 0 })
  }

  /// A constant image: rows of coloured tiles on a vertical gradient, as on a home screen.
  static func `static`(width: Int, height: Int, levels: PixelLevels) -> PreparedBackground {
    let colours: [(Double, Double, Double)] = [
      (0.95, 0.30, 0.25), (0.98, 0.62, 0.15), (0.96, 0.85, 0.30), (0.30, 0.75, 0.40), (0.20, 0.70, 0.85),
      (0.25, 0.45, 0.95), (0.55, 0.35, 0.85), (0.95, 0.45, 0.65), (0.90, 0.90, 0.92), (0.25, 0.27, 0.32),
      (0.55, 0.75, 0.30),
    ]
    let tiles = colours.map { levels.sample($0.0, $0.1, $0.2) }
    // Four tiles per row on a portrait screen, on even coordinates.
    let columns = height >= width ? 4 : 8
    let cell = max(2, width / columns & ~1)
    let (margin, side) = (cell * 3 / 16 & ~1, cell * 5 / 8 & ~1)
    var (luma, chroma): ([UInt8], [UInt8]) = ([], [])
    for row in 0..<height {
      let share = Double(row) / Double(height)
      let backdrop = levels.sample(0.10 + 0.25 * share, 0.22 + 0.10 * share, 0.45 - 0.05 * share)
      let (line, y) = (row - margin).quotientAndRemainder(dividingBy: cell)
      let isTile = row >= margin && y < side && (line + 1) * cell <= height
      let samples = (0..<(width + 1) / 2).map { pair in
        let (column, x) = (pair * 2).quotientAndRemainder(dividingBy: cell)
        let isWithin = isTile && column < columns && (margin..<margin + side).contains(x)
        return isWithin ? tiles[(line * columns + column) % tiles.count] : backdrop
      }
      luma += samples.flatMap { [$0.luma, $0.luma] }.prefix(width)
      if row.isMultiple(of: 2) { chroma += samples.flatMap { [$0.cb, $0.cr] } }
    }
    return PreparedBackground(
      levels: levels, luma: Plane(bytes: luma) { _, row, _ in row * width },
      chroma: Plane(bytes: chroma) { _, row, _ in row * ((width + 1) / 2 * 2) })
  }
}
