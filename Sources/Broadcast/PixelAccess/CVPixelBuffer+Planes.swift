import CoreVideo

/// The shape of one plane of a pixel buffer.
public struct PlaneShape: Sendable, Equatable {
  /// The samples of a row: pixels for luma, pairs of Cb and Cr for chroma.
  public var width: Int
  /// The number of rows.
  public var height: Int
  /// The bytes from one row to the next, padding included.
  public var bytesPerRow: Int

  /// A shape from its three numbers.
  public init(width: Int, height: Int, bytesPerRow: Int) {
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
  }

  /// The bytes of the whole plane: `bytesPerRow * height`.
  public var byteCount: Int { bytesPerRow * height }
}

/// The planes of a pixel buffer as spans: the one place where a base address becomes memory a program may
/// touch. It uses Core Video's own calls only; over Apple's framework it was never built.
///
/// ```swift
/// pixelBuffer.readPlane(0) { luma, shape in
///   luma[row * shape.bytesPerRow]
/// }
/// ```
extension CVBuffer {
  /// The number of planes; a buffer without planes counts as one.
  public var planeCount: Int { max(1, CVPixelBufferGetPlaneCount(self)) }

  /// The shape of plane `index`, from 0.
  public func planeShape(_ index: Int) -> PlaneShape {
    guard CVPixelBufferIsPlanar(self) else {
      return PlaneShape(
        width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self),
        bytesPerRow: CVPixelBufferGetBytesPerRow(self))
    }
    return PlaneShape(
      width: CVPixelBufferGetWidthOfPlane(self, index), height: CVPixelBufferGetHeightOfPlane(self, index),
      bytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(self, index))
  }

  /// Lends the bytes of plane `index` for reading. The buffer is locked for the duration of `body`.
  public func readPlane<Result, Failure: Error>(
    _ index: Int, _ body: (Span<UInt8>, PlaneShape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    let shape = planeShape(index)
    // UNSAFE: the base address is valid while locked, for `bytesPerRow * height` bytes; `self` outlives `body`.
    let bytes = unsafe UnsafeBufferPointer(start: baseAddress(ofPlane: index), count: shape.byteCount)
    return try unsafe body(bytes.span, shape)
  }

  /// Lends the bytes of plane `index` for writing. The buffer is locked for the duration of `body`.
  public func writePlane<Result, Failure: Error>(
    _ index: Int, _ body: (inout MutableSpan<UInt8>, PlaneShape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    let shape = planeShape(index)
    // UNSAFE: as above; that nobody else writes the pixels meanwhile is the callers' agreement in Core Video.
    let bytes = unsafe UnsafeMutableBufferPointer(start: baseAddress(ofPlane: index), count: shape.byteCount)
    var span = unsafe bytes.mutableSpan
    return try body(&span, shape)
  }

  private func baseAddress(ofPlane index: Int) -> UnsafeMutablePointer<UInt8> {
    // UNSAFE: `nil` for a plane that is not there, which is a mistake in the caller; pixels are plain bytes.
    let base =
      unsafe CVPixelBufferIsPlanar(self)
      ? CVPixelBufferGetBaseAddressOfPlane(self, index) : CVPixelBufferGetBaseAddress(self)
    guard let base = unsafe base else { preconditionFailure("the pixel buffer has no plane \(index)") }
    return unsafe base.assumingMemoryBound(to: UInt8.self)
  }
}
