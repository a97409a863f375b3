/// Conversion of samples to red, green and blue.
package struct ColourConversion: Sendable {
  private let luma: [Int]
  private let crToRed: [Int]
  private let cbToGreen: [Int]
  private let crToGreen: [Int]
  private let cbToBlue: [Int]

  /// Fixed-point bits of the tables.
  private static let bits = 16

  package init(_ matrix: ColourMatrix, range: SampleRange) {
    func table(_ factor: Double, offset: Int) -> [Int] {
      (0..<256).map { Int((Double($0 - offset) * factor * Double(1 << Self.bits)).rounded()) }
    }
    let (lumaScale, chromaScale) =
      switch range {
      case .full: (1.0, 1.0)
      case .limited: (255.0 / 219, 255.0 / 224)
      }
    luma = table(lumaScale, offset: range == .full ? 0 : 16)
    let (red, blue) = (2 * (1 - matrix.red) * chromaScale, 2 * (1 - matrix.blue) * chromaScale)
    crToRed = table(red, offset: 128)
    cbToGreen = table(-blue * matrix.blue / matrix.green, offset: 128)
    crToGreen = table(-red * matrix.red / matrix.green, offset: 128)
    cbToBlue = table(blue, offset: 128)
  }

  package func rgb(luma y: UInt8, cb: UInt8, cr: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
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
