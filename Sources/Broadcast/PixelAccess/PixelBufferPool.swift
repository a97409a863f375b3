import CoreVideo

/// A supply of pixel buffers of one size and format, whose memory is used again: `CVPixelBufferPool` with
/// Swift errors.
public struct PixelBufferPool: Sendable {
  /// The width of the buffers, in pixels.
  public let width: Int
  /// The height of the buffers, in pixels.
  public let height: Int
  /// The pixel format of the buffers.
  public let pixelFormat: OSType
  /// Core Video's own pool.
  package let pool: CVPixelBufferPool

  /// A pool; memory is allocated when buffers are asked for.
  public init(width: Int, height: Int, pixelFormat: OSType) throws(PixelBufferError) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    var pool: CVPixelBufferPool?
    let attributes: CFDictionary = [
      kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
      kCVPixelBufferPixelFormatTypeKey: pixelFormat,
    ]
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &pool)
    guard code == kCVReturnSuccess, let pool else {
      throw PixelBufferError(code: code, width: width, height: height, pixelFormat: pixelFormat)
    }
    self.pool = pool
  }

  /// Whether the pool's buffers are of this size and format.
  public func makes(width: Int, height: Int, pixelFormat: OSType) -> Bool {
    self.width == width && self.height == height && self.pixelFormat == pixelFormat
  }

  /// A buffer; its pixels are whatever was in its memory before.
  public func makeBuffer() throws(PixelBufferError) -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &buffer)
    guard code == kCVReturnSuccess, let buffer else {
      throw PixelBufferError(code: code, width: width, height: height, pixelFormat: pixelFormat)
    }
    return buffer
  }
}
