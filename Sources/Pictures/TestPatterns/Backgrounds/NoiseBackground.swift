import PixelAccess

/// Random luma without colour. Each row is a window into prepared random bytes, at an offset that depends only on frame and row,
/// so a frame is the same in every run. Noise has no top, so it is not rotated with the device.
struct NoiseBackground: BlackAndWhiteText {
  let levels: PixelLevels
  private let bytes: [UInt8]
  private let places: UInt64 = 1 << 16

  init(width: Int, levels: PixelLevels) {
    self.levels = levels
    var generator = SplitMix(state: 0x5EED)
    bytes = (0..<Int(places) + width).map { _ in
      UInt8.random(in: levels.black...levels.white, using: &generator)
    }
  }

  var byteCount: Int { bytes.count }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    for row in 0..<shape.height {
      let target = row * shape.bytesPerRow
      guard index == 0 else {
        plane.fill(target..<target + shape.width * 2, with: levels.neutral)
        continue
      }
      var generator = SplitMix(state: frame << 16 ^ UInt64(row))
      let start = Int(generator.next() % places)
      plane.copy(bytes.span.extracting(start..<start + shape.width), to: target)
    }
  }
}
