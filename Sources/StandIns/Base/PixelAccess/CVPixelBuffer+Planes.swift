import CoreVideo

/// The planes of a pixel buffer as spans.
///
/// ```swift
/// pixelBuffer.readPlane(0) { luma, shape in
///   luma[row * shape.bytesPerRow]
/// }
/// ```
extension CVBuffer {
  /// The number of planes. A buffer without planes counts as one.
  public var planeCount: Int { max(1, CVPixelBufferGetPlaneCount(self)) }

  /// Returns the shape of plane `index`, from 0. If the plane does not exist, all numbers of the shape are 0.
  public func planeShape(_ index: Int) -> PlaneShape {
    PlaneShape(
      width: CVPixelBufferGetWidthOfPlane(self, index), height: CVPixelBufferGetHeightOfPlane(self, index),
      bytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(self, index))
  }

  /// Calls `body` with the bytes of plane `index`, locked for reading.
  public func readPlane<Result, Failure: Error>(
    _ index: Int, _ body: (Span<UInt8>, PlaneShape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withPlane(index) { bytes, _ throws(Failure) in try body(bytes, planeShape(index)) }
  }

  /// Calls `body` with the bytes of plane `index`, locked for writing.
  public func writePlane<Result, Failure: Error>(
    _ index: Int, _ body: (inout MutableSpan<UInt8>, PlaneShape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withMutablePlane(index) { bytes, _ throws(Failure) in try body(&bytes, planeShape(index)) }
  }

  /// Copies the pixels of `source`, which has the same size and format. The row paddings may differ.
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

  /// Copies planes from `bytes`. If a plane has too few rows, its last row is repeated; a plane without rows becomes grey.
  ///
  /// Traps if a plane is not within `bytes`. If another process writes the bytes in the meantime, the copy has pixels
  /// of both frames.
  package func copyPlanes(_ planes: [PlacedPlane], from bytes: Span<UInt8>) {
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
}
