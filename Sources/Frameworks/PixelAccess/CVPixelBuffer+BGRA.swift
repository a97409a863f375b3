import CPixels
import CoreVideo

// Conversion between 4:2:0 and 32BGRA.

extension CVBuffer {
  /// Returns the pixels as 32BGRA, by the matrix that the buffer states: BT.709 without one; `nil` for other formats and
  /// without memory. Pixels of 32BGRA are returned as they are.
  package func convertedToBGRA() -> CVPixelBuffer? {
    let format = CVPixelBufferGetPixelFormatType(self)
    guard format != kCVPixelFormatType_32BGRA else { return self }
    guard NV12Scaler.canScale(self), let target = makeBuffer(kCVPixelFormatType_32BGRA) else { return nil }
    let matrix = CVBufferCopyAttachment(self, kCVImageBufferYCbCrMatrixKey, nil) as? String
    let is601 = matrix == kCVImageBufferYCbCrMatrix_ITU_R_601_4
    let isFull = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    // UNSAFE: both buffers are locked for the call, and have these shapes.
    unsafe withPlanes { planes in
      unsafe target.withBitmap { bitmap in
        unsafe cpixels_bgra_from_planes(
          &planes, &bitmap, is601 ? 0.299 : 0.2126, is601 ? 0.114 : 0.0722, isFull ? 1 : 0)
      }
    }
    return target
  }

  /// Returns pixels of 32BGRA as 420f of BT.601, which is stated; `nil` without memory. Pixels of 420f and 420v are returned as
  /// they are.
  package func convertedToBiPlanar() -> CVPixelBuffer? {
    guard CVPixelBufferGetPixelFormatType(self) == kCVPixelFormatType_32BGRA else { return self }
    guard let target = makeBuffer(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange) else { return nil }
    CVBufferSetAttachment(
      target, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
    // UNSAFE: as in the other direction.
    unsafe withBitmap { bitmap in
      unsafe target.withPlanes { planes in unsafe cpixels_planes_from_bgra(&bitmap, &planes, 0.299, 0.114) }
    }
    return target
  }

  private func makeBuffer(_ format: OSType) -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CVPixelBufferCreate(
      nil, CVPixelBufferGetWidth(self), CVPixelBufferGetHeight(self), format, nil, &buffer)
    return buffer
  }

  /// Calls `body` with the address of pixels of four bytes.
  package func withBitmap<Result>(_ body: (inout cpixels_bitmap) -> Result) -> Result {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    // UNSAFE: the buffer is locked for `body`; pixels are bytes.
    var bitmap = unsafe cpixels_bitmap(
      bytes: CVPixelBufferGetBaseAddress(self)?.assumingMemoryBound(to: UInt8.self),
      bytes_per_row: CVPixelBufferGetBytesPerRow(self), width: Int32(CVPixelBufferGetWidth(self)),
      height: Int32(CVPixelBufferGetHeight(self)))
    return unsafe body(&bitmap)
  }

  private func withPlanes<Result>(_ body: (inout cpixels_planes) -> Result) -> Result {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    // UNSAFE: the planes are locked for `body`; pixels are bytes.
    var planes = unsafe cpixels_planes(
      luma: CVPixelBufferGetBaseAddressOfPlane(self, 0)?.assumingMemoryBound(to: UInt8.self),
      luma_bytes_per_row: CVPixelBufferGetBytesPerRowOfPlane(self, 0),
      chroma: CVPixelBufferGetBaseAddressOfPlane(self, 1)?.assumingMemoryBound(to: UInt8.self),
      chroma_bytes_per_row: CVPixelBufferGetBytesPerRowOfPlane(self, 1))
    return unsafe body(&planes)
  }
}
