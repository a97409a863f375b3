import CoreVideo

/// A pool of pixel buffers of one size and format: `CVPixelBufferPool` with Swift errors. It reuses the memory of
/// released buffers.
public struct PixelBufferPool: Sendable {
  /// The width of the buffers, in pixels.
  public let width: Int
  /// The height of the buffers, in pixels.
  public let height: Int
  /// The pixel format of the buffers.
  public let pixelFormat: OSType
  package let pool: CVPixelBufferPool

  /// Creates a pool. Memory is allocated when a buffer is requested.
  ///
  /// Throws if Core Video does not support the size or the format.
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

  /// Returns a buffer with undefined pixels. Throws if there is no memory.
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

/// A pixel buffer pool for frames whose size and format may change. It keeps one pool for each recent size and format.
///
/// ```swift
/// var pool = AdaptivePixelBufferPool()
/// let copy = try pool.makeCopy(of: frame)
/// ```
package struct AdaptivePixelBufferPool: Sendable {
  /// In the order of their latest use, the most recent last.
  private var pools: [PixelBufferPool] = []
  private let maximumShapes: Int

  /// Creates a pool that keeps the memory of the `shapes` most recent sizes and formats.
  package init(shapes: Int = 1) { maximumShapes = shapes }

  /// Returns a buffer with undefined pixels. Throws if the size or the format is not supported, or if there is no memory.
  package mutating func makeBuffer(
    width: Int, height: Int, pixelFormat: OSType
  ) throws(PixelBufferError) -> CVPixelBuffer {
    let known = pools.lastIndex {
      $0.width == width && $0.height == height && $0.pixelFormat == pixelFormat
    }
    if let known, known == pools.count - 1 { return try pools[known].makeBuffer() }
    let pool =
      if let known {
        pools.remove(at: known)
      } else {
        try PixelBufferPool(width: width, height: height, pixelFormat: pixelFormat)
      }
    pools = pools.suffix(maximumShapes - 1) + [pool]
    return try pool.makeBuffer()
  }

  /// Returns a copy of `source`, with its attachments.
  package mutating func makeCopy(of source: CVPixelBuffer) throws(PixelBufferError) -> CVPixelBuffer {
    let copy = try makeBuffer(
      width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source),
      pixelFormat: CVPixelBufferGetPixelFormatType(source))
    copy.copyPlanes(of: source)
    CVBufferPropagateAttachments(source, copy)
    return copy
  }
}
