import CoreVideo

/// The planes of a pixel buffer as spans: the one place where a base address becomes memory.
///
/// ```swift
/// pixelBuffer.readPlane(0) { luma, shape in
///   luma[row * shape.bytesPerRow]
/// }
/// ```
extension CVBuffer {
  /// The number of planes. A buffer without planes counts as one.
  public var planeCount: Int { max(1, CVPixelBufferGetPlaneCount(self)) }

  /// Returns the shape of plane `index`, from 0.
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

  /// Calls `body` with the bytes of plane `index`, locked for reading.
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

  /// Calls `body` with the bytes of plane `index`, locked for writing.
  public func writePlane<Result, Failure: Error>(
    _ index: Int, _ body: (inout MutableSpan<UInt8>, PlaneShape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    let shape = planeShape(index)
    // UNSAFE: as in `readPlane`; Core Video leaves it to its callers that one thread writes at a time.
    let bytes = unsafe UnsafeMutableBufferPointer(start: baseAddress(ofPlane: index), count: shape.byteCount)
    var span = unsafe bytes.mutableSpan
    return try body(&span, shape)
  }

  /// Copies the pixels of `source`, which has the same size and format; row paddings may differ.
  package func copyPlanes(of source: CVPixelBuffer) {
    for plane in 0..<min(planeCount, source.planeCount) {
      source.readPlane(plane) { bytes, from in
        writePlane(plane) { target, to in
          target.copyRows(
            min(from.height, to.height), of: bytes, every: from.bytesPerRow, toEvery: to.bytesPerRow)
        }
      }
    }
  }

  /// Copies planes from `bytes`. The last row of a plane repeats in the rows it lacks; a plane without rows
  /// becomes grey.
  ///
  /// Traps when a plane is not within `bytes`. Another process may write the bytes at the same time: the pixels are
  /// then of both frames.
  package func copyPlanes(_ planes: [LentPlane], from bytes: Span<UInt8>) {
    for (index, plane) in planes.enumerated() {
      let source = bytes.extracting(plane.offset..<(plane.offset + plane.shape.byteCount))
      writePlane(index) { target, shape in
        let rows = min(shape.height, plane.shape.height)
        guard rows > 0 else { return target.fill(0..<target.count, with: 128) }
        target.copyRows(rows, of: source, every: plane.shape.bytesPerRow, toEvery: shape.bytesPerRow)
        let last = (rows - 1) * shape.bytesPerRow
        for row in rows..<shape.height {
          target.copyWithin(last..<(last + shape.bytesPerRow), to: row * shape.bytesPerRow)
        }
      }
    }
  }

  private func baseAddress(ofPlane index: Int) -> UnsafeMutablePointer<UInt8> {
    // UNSAFE: the address is `nil` only for a plane that does not exist, a mistake of the caller; pixels are bytes.
    let base =
      unsafe CVPixelBufferIsPlanar(self)
      ? CVPixelBufferGetBaseAddressOfPlane(self, index) : CVPixelBufferGetBaseAddress(self)
    guard let base = unsafe base else { preconditionFailure("the pixel buffer has no plane \(index)") }
    return unsafe base.assumingMemoryBound(to: UInt8.self)
  }
}
