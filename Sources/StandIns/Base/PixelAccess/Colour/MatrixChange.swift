import CPixels

// In one file, because a debug build optimizes each file by itself.

/// What a change of the matrix adds to luma, and makes of chroma, for each unit of chroma.
package struct MatrixChange: Sendable {
  /// Factors of Cb and Cr in fixed point.
  struct Factors: Sendable {
    private let cb: Int
    private let cr: Int

    init(cb: Double, cr: Double) {
      self.cb = Int((cb * 65_536).rounded())
      self.cr = Int((cr * 65_536).rounded())
    }

    /// A sample, of 128 for grey chroma, with what chroma adds to it.
    func sample(_ start: Int, cb blue: UInt8, cr red: UInt8) -> UInt8 {
      let sum = start &* 65_536 &+ cb &* (Int(blue) &- 128) &+ cr &* (Int(red) &- 128)
      return UInt8(truncatingIfNeeded: max(0, min(255, (sum &+ 32_768) >> 16)))
    }
  }

  let luma: Factors
  let cb: Factors
  let cr: Factors

  package func apply(luma light: UInt8, cb blue: UInt8, cr red: UInt8) -> (
    luma: UInt8, cb: UInt8, cr: UInt8
  ) {
    (
      luma.sample(Int(light), cb: blue, cr: red), cb.sample(128, cb: blue, cr: red),
      cr.sample(128, cb: blue, cr: red)
    )
  }
}

/// The rows of a 420f picture as an encoder reads them: luma, Cb and Cr of each pixel, by another matrix.
@safe package struct PictureRows {
  private let planes: cpixels_planes
  private let change: MatrixChange?

  /// The planes outlive the rows.
  package init(of planes: cpixels_planes, _ matrix: ColourMatrix, as wanted: ColourMatrix) {
    unsafe self.planes = planes
    change = matrix == wanted ? nil : matrix.change(to: wanted)
  }

  /// Writes a row, three bytes for each pixel.
  package func write(_ y: Int, to row: UnsafeMutablePointer<UInt8>?) {
    // UNSAFE: the row is one of the planes, and has room for its pixels.
    guard let luma = unsafe planes.luma, let chroma = unsafe planes.chroma, let row = unsafe row else {
      return
    }
    let (lights, pairs) = unsafe (
      luma + y * planes.luma_bytes_per_row, chroma + y / 2 * planes.chroma_bytes_per_row
    )
    let width = unsafe Int(planes.width)
    for x in 0..<width {
      let (light, cb, cr) = unsafe (lights[x], pairs[x & ~1], pairs[x | 1])
      let sample = change?.apply(luma: light, cb: cb, cr: cr) ?? (light, cb, cr)
      unsafe (row[x * 3], row[x * 3 + 1], row[x * 3 + 2]) = sample
    }
  }
}
