import CoreVideo
import PixelAccess
import TestSupport

/// A pixel buffer in memory that the test allocated, with any row lengths and marked padding bytes.
struct Picture {
  let buffer: CVPixelBuffer
  static let paddingMark: UInt8 = 0xA7

  init(
    width: Int, height: Int, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    lumaPadding: Int = 0, chromaPadding: Int = 0, pairs: (width: Int, height: Int)? = nil
  ) throws {
    let pairs = pairs ?? (width: (width + 1) / 2, height: (height + 1) / 2)
    let strides = [width + lumaPadding, pairs.width * 2 + chromaPadding]
    let count = strides[0] * height + strides[1] * pairs.height
    // UNSAFE: memory of this buffer alone, freed by its release callback.
    let base = unsafe try #require(malloc(count))
    unsafe memset(base, Int32(Self.paddingMark), count)
    var bases: [UnsafeMutableRawPointer?] = unsafe [base, base + strides[0] * height]
    var widths = [width, pairs.width]
    var heights = [height, pairs.height]
    var rowBytes = strides
    var made: CVPixelBuffer?
    let code = unsafe CVPixelBufferCreateWithPlanarBytes(
      nil, width, height, format, base, count, 2, &bases, &widths, &heights, &rowBytes,
      { _, base, _, _, _ in unsafe free(UnsafeMutableRawPointer(mutating: base)) }, base, nil, &made)
    try #require(code == kCVReturnSuccess)
    buffer = try #require(made)
  }

  func visibleBytes(_ plane: Int) -> Int { buffer.planeShape(plane).width * (plane + 1) }

  /// Returns the rows of a plane, including padding.
  func rows(_ plane: Int) -> [[UInt8]] {
    buffer.readPlane(plane) { bytes, shape in
      (0..<shape.height).map { row in
        // UNSAFE: a row of the plane, copied while the span is valid.
        unsafe bytes.withUnsafeBufferPointer {
          unsafe Array($0[row * shape.bytesPerRow..<(row + 1) * shape.bytesPerRow])
        }
      }
    }
  }

  func byte(_ plane: Int, _ row: Int, _ column: Int) -> UInt8 {
    buffer.readPlane(plane) { bytes, shape in bytes[row * shape.bytesPerRow + column] }
  }

  func set(_ plane: Int, _ row: Int, _ column: Int, to value: UInt8) {
    buffer.writePlane(plane) { bytes, shape in bytes[row * shape.bytesPerRow + column] = value }
  }

  func copyRows(_ rows: Range<Int>, of plane: Int, from other: Picture) {
    other.buffer.readPlane(plane) { source, shape in
      let range = rows.lowerBound * shape.bytesPerRow..<rows.upperBound * shape.bytesPerRow
      buffer.writePlane(plane) { bytes, _ in bytes.copy(source.extracting(range), to: range.lowerBound) }
    }
  }
}
