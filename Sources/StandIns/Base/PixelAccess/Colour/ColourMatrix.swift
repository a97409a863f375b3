import CPixels
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
  package func change(to other: ColourMatrix) -> cpixels_change {
    // Red and blue by the chroma samples of this matrix; green follows from them and luma.
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
