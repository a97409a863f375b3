import CoreVideo

/// The matrix between red, green and blue and the samples of video, of those that phones give.
package enum ColourMatrix: Sendable, Equatable, CaseIterable {
  /// BT.709: what phones deliver, and the meaning of a buffer without the attachment.
  case bt709
  /// BT.601: what iOS 12 delivered, and what JPEG has.
  case bt601

  /// The part of red in luma.
  package var red: Double { self == .bt709 ? 0.2126 : 0.299 }
  /// The part of blue in luma.
  package var blue: Double { self == .bt709 ? 0.0722 : 0.114 }
  /// The part of green in luma.
  package var green: Double { 1 - red - blue }

  /// The value of the attachment `kCVImageBufferYCbCrMatrixKey`.
  package var attachment: CFString {
    self == .bt709 ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4
  }

  /// The change of full-range samples of this matrix to those of another one.
  package func change(to other: ColourMatrix) -> MatrixChange {
    // Red and blue by the chroma samples of this matrix; green follows from them and luma.
    let (cr, cb) = (2 * (1 - red), 2 * (1 - blue))
    let lumaByCb = other.blue * cb - other.green * cb * blue / green
    let lumaByCr = other.red * cr - other.green * cr * red / green
    let (otherCr, otherCb) = (2 * (1 - other.red), 2 * (1 - other.blue))
    return MatrixChange(
      lumaByCb: lumaByCb, lumaByCr: lumaByCr, cbByCb: (cb - lumaByCb) / otherCb, cbByCr: -lumaByCr / otherCb,
      crByCb: -lumaByCb / otherCr, crByCr: (cr - lumaByCr) / otherCr)
  }
}

/// What a change of the matrix adds to luma, and makes of chroma, for each unit of chroma.
package struct MatrixChange: Sendable {
  package let lumaByCb: Double
  package let lumaByCr: Double
  package let cbByCb: Double
  package let cbByCr: Double
  package let crByCb: Double
  package let crByCr: Double

  package func apply(luma: UInt8, cb: UInt8, cr: UInt8) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
    func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
    let (blue, red) = (Double(cb) - 128, Double(cr) - 128)
    return (
      byte(Double(luma) + lumaByCb * blue + lumaByCr * red), byte(128 + cbByCb * blue + cbByCr * red),
      byte(128 + crByCb * blue + crByCr * red)
    )
  }
}
