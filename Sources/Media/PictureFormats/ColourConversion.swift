import PixelAccess

/// Conversion of samples to red, green and blue.
///
/// The matrix is BT.601 at every size. Frames and Y4M do not state theirs, and BT.601 is the default of ffmpeg and players:
/// so the colours of a clip or a screen recording are the same at both ends. A matrix that depends on the size would
/// change the colours of a scaled screen.
struct ColourConversion: Sendable {
  private let luma: [Int]
  private let crToRed: [Int]
  private let cbToGreen: [Int]
  private let crToGreen: [Int]
  private let cbToBlue: [Int]

  /// Fixed-point bits of the tables.
  private static let bits = 16

  init(range: SampleRange) {
    func table(_ factor: Double, offset: Int) -> [Int] {
      (0..<256).map { Int((Double($0 - offset) * factor * Double(1 << Self.bits)).rounded()) }
    }
    let (lumaScale, chromaScale) =
      switch range {
      case .full: (1.0, 1.0)
      case .limited: (255.0 / 219, 255.0 / 224)
      }
    luma = table(lumaScale, offset: range == .full ? 0 : 16)
    crToRed = table(1.402 * chromaScale, offset: 128)
    cbToGreen = table(-0.344136 * chromaScale, offset: 128)
    crToGreen = table(-0.714136 * chromaScale, offset: 128)
    cbToBlue = table(1.772 * chromaScale, offset: 128)
  }

  func rgb(luma y: UInt8, cb: UInt8, cr: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let light = luma[Int(y)]
    return (
      Self.clamped(light + crToRed[Int(cr)]),
      Self.clamped(light + cbToGreen[Int(cb)] + crToGreen[Int(cr)]),
      Self.clamped(light + cbToBlue[Int(cb)])
    )
  }

  private static func clamped(_ value: Int) -> UInt8 {
    UInt8(max(0, min(255, (value + 1 << (bits - 1)) >> bits)))
  }
}
