import CPixels
import CoreVideo

// Conversion between 4:2:0 and 32BGRA.

extension CVBuffer {
  /// Returns the pixels as 32BGRA, converted by the stated matrix of the buffer (default: BT.709); `nil` for other
  /// formats and if there is no memory. A 32BGRA buffer is returned unchanged.
  package func convertedToBGRA() -> CVPixelBuffer? {
    let format = CVPixelBufferGetPixelFormatType(self)
    guard format != kCVPixelFormatType_32BGRA else { return self }
    guard NV12Scaler.canScale(self), let target = bufferOfSize(kCVPixelFormatType_32BGRA) else { return nil }
    let (matrix, isFull) = (colourMatrix, format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    // UNSAFE: both buffers are locked for the call, and have these shapes.
    unsafe withPlanes { planes in
      unsafe target.withBitmap { bitmap in
        unsafe cpixels_bgra_from_planes(&planes, &bitmap, matrix.red, matrix.blue, isFull ? 1 : 0)
      }
    }
    return target
  }

  /// Returns 32BGRA pixels as 420f, and states their matrix, BT.601; `nil` if there is no memory. A 420f or 420v buffer
  /// is returned unchanged.
  package func convertedToBiPlanar() -> CVPixelBuffer? {
    guard CVPixelBufferGetPixelFormatType(self) == kCVPixelFormatType_32BGRA else { return self }
    guard let target = bufferOfSize(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange) else { return nil }
    let matrix = ColourMatrix.bt601
    target.state(matrix)
    // UNSAFE: both buffers are locked for the call, and have these shapes.
    unsafe withBitmap { bitmap in
      unsafe target.withPlanes { planes in
        unsafe cpixels_planes_from_bgra(&bitmap, &planes, matrix.red, matrix.blue)
      }
    }
    return target
  }

  private func bufferOfSize(_ format: OSType) -> CVPixelBuffer? {
    .make(width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self), pixelFormat: format)
  }

  /// Calls `body` with the address of the pixels, which have four bytes each.
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

  /// Calls `body` with the addresses of both planes.
  package func withPlanes<Result>(_ body: (inout cpixels_planes) -> Result) -> Result {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    // UNSAFE: the planes are locked for `body`; pixels are bytes.
    var planes = unsafe cpixels_planes(
      width: Int32(CVPixelBufferGetWidth(self)), height: Int32(CVPixelBufferGetHeight(self)),
      luma: CVPixelBufferGetBaseAddressOfPlane(self, 0)?.assumingMemoryBound(to: UInt8.self),
      luma_bytes_per_row: CVPixelBufferGetBytesPerRowOfPlane(self, 0),
      chroma: CVPixelBufferGetBaseAddressOfPlane(self, 1)?.assumingMemoryBound(to: UInt8.self),
      chroma_bytes_per_row: CVPixelBufferGetBytesPerRowOfPlane(self, 1))
    return unsafe body(&planes)
  }
}
