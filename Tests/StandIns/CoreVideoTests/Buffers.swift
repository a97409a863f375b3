import CoreVideo

/// Creates a pixel buffer, 420f by default.
func makeBuffer(
  width: Int, height: Int, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
  attributes: CFDictionary? = nil
) -> (code: CVReturn, buffer: CVPixelBuffer?) {
  var buffer: CVPixelBuffer?
  // UNSAFE: the out parameter is a local variable.
  let code = unsafe CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes, &buffer)
  return (code, buffer)
}
