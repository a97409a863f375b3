import CPixels
import CoreVideo

/// A matrix between RGB and the samples of a video. Phones use these two.
package enum ColourMatrix: Sendable, Equatable, CaseIterable {
  /// BT.709: the matrix of phones, and of buffers without the attachment.
  case bt709
  /// BT.601: the matrix of iOS 12 and of JPEG.
  case bt601

  /// The weight of red in luma.
  package var red: Double { self == .bt709 ? 0.2126 : 0.299 }
  /// The weight of blue in luma.
  package var blue: Double { self == .bt709 ? 0.0722 : 0.114 }
  /// The weight of green in luma.
  package var green: Double { 1 - red - blue }

  /// The value of the attachment `kCVImageBufferYCbCrMatrixKey`.
  package var attachment: CFString {
    self == .bt709 ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4
  }

  /// Returns the coefficients that convert full-range samples of this matrix to `other`.
  package func change(to other: ColourMatrix) -> cpixels_change {
    // Express red and blue by the chroma samples of this matrix; green follows from them and luma.
    let (cr, cb) = (2 * (1 - red), 2 * (1 - blue))
    let lumaByCb = other.blue * cb - other.green * cb * blue / green
    let lumaByCr = other.red * cr - other.green * cr * red / green
    let (otherCr, otherCb) = (2 * (1 - other.red), 2 * (1 - other.blue))
    func fixed(_ factor: Double) -> Int32 { Int32((factor * 65_536).rounded()) }
    return cpixels_change(
      luma_cb: fixed(lumaByCb), luma_cr: fixed(lumaByCr), cb_cb: fixed((cb - lumaByCb) / otherCb),
      cb_cr: fixed(-lumaByCr / otherCb), cr_cb: fixed(-lumaByCb / otherCr),
      cr_cr: fixed((cr - lumaByCr) / otherCr))
  }
}
