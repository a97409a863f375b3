import CoreVideo
import EmulatedDevice
import PixelAccess

/// The colour matrix of the frames and their attachments, by version of iOS. Docs/Devices.md has the sources.
struct ScreenColours: Sendable {
  let matrix: ColourMatrix
  private let states: Stated

  private enum Stated { case nothing, matrix, everything }

  init(_ version: IOSVersion) {
    (matrix, states) =
      switch version.major {
      // The matrix of iOS 11 is not known.
      case 11: (.bt709, .nothing)
      case 12: (.bt601, .matrix)
      default: (.bt709, .everything)
      }
  }

  /// Attaches the colours to a frame. `own` is the matrix of its samples; `nil` for the matrix of the version.
  func attach(to pixels: CVPixelBuffer, own: ColourMatrix?) {
    var values: CFDictionary = [
      kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_709_2,
      kCVImageBufferYCbCrMatrixKey: (own ?? matrix).attachment,
    ]
    if states == .everything {
      values[kCVImageBufferTransferFunctionKey] = kCVImageBufferTransferFunction_sRGB
      values[kCVImageBufferChromaLocationTopFieldKey] = kCVImageBufferChromaLocation_Left
      values[kCVImageBufferChromaLocationBottomFieldKey] = kCVImageBufferChromaLocation_Left
    }
    if states != .nothing { CVBufferSetAttachments(pixels, values, .shouldPropagate) }
  }
}
