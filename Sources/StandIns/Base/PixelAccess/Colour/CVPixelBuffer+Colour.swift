import CPixels
import CoreVideo

extension CVBuffer {
  /// The matrix in the attachment `kCVImageBufferYCbCrMatrixKey`; `nil` without the attachment, and for a matrix that
  /// no phone uses.
  package var statedMatrix: ColourMatrix? {
    switch CVBufferCopyAttachment(self, kCVImageBufferYCbCrMatrixKey, nil) as? String {
    case kCVImageBufferYCbCrMatrix_ITU_R_709_2: .bt709
    case kCVImageBufferYCbCrMatrix_ITU_R_601_4: .bt601
    default: nil
    }
  }

  /// The matrix of the pixels (default: BT.709).
  package var colourMatrix: ColourMatrix { statedMatrix ?? .bt709 }

  /// Sets the attachment for the matrix of the pixels, without converting them.
  package func state(_ matrix: ColourMatrix) {
    CVBufferSetAttachment(self, kCVImageBufferYCbCrMatrixKey, matrix.attachment, .shouldPropagate)
  }

  /// Converts the pixels of a 420f buffer to another matrix.
  package func convert(to matrix: ColourMatrix) {
    guard matrix != colourMatrix else { return }
    var change = colourMatrix.change(to: matrix)
    state(matrix)
    // UNSAFE: the planes are locked for the call.
    unsafe withPlanes { unsafe cpixels_change_planes(&$0, &change) }
  }
}
