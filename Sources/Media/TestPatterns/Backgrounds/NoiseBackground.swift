import PixelAccess

/// Random luma without colour. Each row is a window at a random place of prepared random bytes; the frame number determines
/// the places, so a frame is the same in every run.
struct NoiseBackground: InkedBackground {
  let ink: PlainInk
  private let width: Int
  private let bytes: [UInt8]

  private static let places = 1 << 16

  init(width: Int, levels: SampleLevels) {
    ink = PlainInk(width: width, levels: levels)
    self.width = width
    var generator = SplitMix(state: 0x5EED)
    let count = Self.places + width
    let span = UInt64(levels.white - levels.black) + 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      var word = generator.next()
      for _ in 0..<8 {
        bytes.append(levels.black + UInt8(((word & 0xFF) * span) >> 8))
        word >>= 8
      }
    }
    self.bytes = bytes
  }

  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    var generator = SplitMix(state: frame)
    for row in 0..<shape.height {
      let start = Int(generator.next() % UInt64(Self.places))
      plane.copy(bytes.span.extracting(start..<start + width), to: row * shape.bytesPerRow)
    }
  }

  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    for row in 0..<shape.height { plane.copy(ink.neutral.span, to: row * shape.bytesPerRow) }
  }
}
