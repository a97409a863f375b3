import CoreVideo

extension PixelBufferPool {
  /// A buffer with a copy of planes that lie among bytes. Rows of the buffer that the planes lack repeat their last
  /// one; a plane without rows is grey.
  ///
  /// Traps when a plane is outside of the bytes. The bytes may change meanwhile: then the picture is of both.
  public func makeBuffer(
    copying planes: [LentPlane], from bytes: Span<UInt8>
  ) throws(PixelBufferError) -> CVPixelBuffer {
    let buffer = try makeBuffer()
    for (index, plane) in planes.enumerated() {
      let source = bytes.extracting(plane.offset..<(plane.offset + plane.shape.byteCount))
      buffer.writePlane(index) { target, shape in
        let rowBytes = min(shape.bytesPerRow, plane.shape.bytesPerRow)
        let rows = min(shape.height, plane.shape.height)
        if shape.bytesPerRow == plane.shape.bytesPerRow {
          target.copy(source.extracting(0..<(rows * rowBytes)))
        } else {
          for row in 0..<rows {
            let start = row * plane.shape.bytesPerRow
            target.copy(source.extracting(start..<(start + rowBytes)), to: row * shape.bytesPerRow)
          }
        }
        guard rows > 0 else { return target.fill(0..<target.count, with: 128) }
        for row in rows..<max(rows, shape.height) {
          let last = (rows - 1) * shape.bytesPerRow
          target.copyWithin(last..<(last + shape.bytesPerRow), to: row * shape.bytesPerRow)
        }
      }
    }
    return buffer
  }

  /// A buffer with a copy of `picture`, which has the pool's size and format and two planes.
  public func makeBuffer(copying picture: CVPixelBuffer) throws(PixelBufferError) -> CVPixelBuffer {
    let buffer = try makeBuffer()
    for plane in 0..<2 {
      picture.readPlane(plane) { source, from in
        buffer.writePlane(plane) { target, to in
          if from.bytesPerRow == to.bytesPerRow { return target.copy(source) }
          let rowBytes = min(from.bytesPerRow, to.bytesPerRow)
          for row in 0..<from.height {
            let start = row * from.bytesPerRow
            target.copy(source.extracting(start..<(start + rowBytes)), to: row * to.bytesPerRow)
          }
        }
      }
    }
    return buffer
  }
}
