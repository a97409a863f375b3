import CoreVideo

/// A buffer of the format the tests use most.
func makeBuffer(
  width: Int, height: Int, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
  attributes: CFDictionary? = nil
) -> (code: CVReturn, buffer: CVPixelBuffer?) {
  var buffer: CVPixelBuffer?
  // UNSAFE: an out parameter of this frame.
  let code = unsafe CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes, &buffer)
  return (code, buffer)
}
