import Foundation

extension PreparedBackground {
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
      luma: Plane(bytes: luma) { frame, row in (row + Int(frame % UInt64(width)) * step) % width },
      // Along the other diagonal, at half the speed.
      chroma: Plane(bytes: chroma) { frame, row in
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
      luma: Plane(bytes: bytes) { frame, row in
        var generator = SplitMix(state: frame << 16 ^ UInt64(row))
        return Int(generator.next() % UInt64(places))
      },
      chroma: Plane(bytes: neutral) { _, _ in 0 })
  }
}
