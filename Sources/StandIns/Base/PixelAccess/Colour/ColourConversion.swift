/// Tables that convert samples to red, green and blue.
package struct ColourConversion: Sendable {
  /// 256 entries each for luma, red of Cr, green of Cb, green of Cr and blue of Cb, in 1/65,536.
  package let tables: [Int32]

  package init(_ matrix: ColourMatrix, range: SampleRange) {
    func table(_ factor: Double, offset: Int) -> [Int32] {
      (0..<256).map { Int32((Double($0 - offset) * factor * 65_536).rounded()) }
    }
    let (lumaScale, chromaScale) =
      switch range {
      case .full: (1.0, 1.0)
      case .limited: (255.0 / 219, 255.0 / 224)
      }
    let (red, blue) = (2 * (1 - matrix.red) * chromaScale, 2 * (1 - matrix.blue) * chromaScale)
    tables =
      table(lumaScale, offset: range == .full ? 0 : 16) + table(red, offset: 128)
      + table(-blue * matrix.blue / matrix.green, offset: 128)
      + table(-red * matrix.red / matrix.green, offset: 128) + table(blue, offset: 128)
  }
}
