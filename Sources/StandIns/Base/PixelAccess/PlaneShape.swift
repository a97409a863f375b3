/// The shape of one plane of a pixel buffer.
public struct PlaneShape: Sendable, Equatable {
  /// The number of samples in a row: pixels for luma, pairs of Cb and Cr for chroma.
  public var width: Int
  /// The number of rows.
  public var height: Int
  /// The bytes from the start of one row to the start of the next, including padding.
  public var bytesPerRow: Int

  /// Creates a shape.
  public init(width: Int, height: Int, bytesPerRow: Int) {
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
  }

  /// The bytes of the plane: `bytesPerRow * height`.
  public var byteCount: Int { bytesPerRow * height }
}

/// The position and shape of a plane within a span of bytes.
package struct PlacedPlane: Sendable, Equatable {
  /// The bytes from the start of the span to the start of the plane.
  package var offset: Int
  package var shape: PlaneShape

  package init(offset: Int, shape: PlaneShape) {
    self.offset = offset
    self.shape = shape
  }

  /// The bytes from the start of the span to the end of the plane.
  package var end: Int { offset + shape.byteCount }
}

/// The size of 4:2:0 frames in two planes, such as 420f and 420v.
package enum BiPlanar {
  /// Returns the bytes of a frame without padding: one luma sample per pixel, one Cb and one Cr sample per four pixels.
  package static func byteCount(width: Int, height: Int) -> Int {
    width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
  }
}
