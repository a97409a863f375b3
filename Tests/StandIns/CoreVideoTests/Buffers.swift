import CoreVideo
import Testing

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

/// Creates a pool. ``take(_:)`` returns a buffer of the pool.
func makePool(_ attributes: CFDictionary?) -> (code: CVReturn, pool: CVPixelBufferPool?) {
  var pool: CVPixelBufferPool?
  // UNSAFE: the out parameter is a local variable.
  let code = unsafe CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &pool)
  return (code, pool)
}

func take(_ pool: CVPixelBufferPool) throws -> CVPixelBuffer {
  var buffer: CVPixelBuffer?
  // UNSAFE: the out parameter is a local variable.
  #expect(unsafe CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
  return try #require(buffer)
}
