import CPixels
import CoreVideo

/// Crops and scales 420f and 420v frames as ``AxisFilter`` defines it. The chroma plane is scaled independently. The
/// scaler keeps its tables while the sizes stay the same.
package struct NV12Scaler {
  private var planes = [PlaneScaler(channels: 1), PlaneScaler(channels: 2)]

  package init() {}

  package static func canScale(_ buffer: CVPixelBuffer) -> Bool {
    SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(buffer)) != nil
  }

  /// Fills `output` with `part` of `source`. The left and the top of `part` are even.
  /// - Returns: `false`, without writing, if the formats differ or are not supported, or if the part is not within the
  ///   source.
  package mutating func scale(_ source: CVPixelBuffer, part: PixelRect, to output: CVPixelBuffer) -> Bool {
    guard Self.canScale(source),
      CVPixelBufferGetPixelFormatType(source) == CVPixelBufferGetPixelFormatType(output)
    else { return false }
    let parts = (0..<2).map { plane in
      let (width, height) = (
        CVPixelBufferGetWidthOfPlane(source, plane), CVPixelBufferGetHeightOfPlane(source, plane)
      )
      // Check the planes, not the image: if the image has an odd size and planes of the handler, the size of the chroma
      // plane may be rounded up or down.
      let part = plane == 0 ? part : part.halved(within: width, height)
      let isWithin =
        part.x >= 0 && part.y >= 0 && part.width > 0 && part.height > 0 && part.x + part.width <= width
        && part.y + part.height <= height
      return isWithin ? part : nil
    }
    guard !parts.contains(nil) else { return false }
    for case (let plane, let part?) in parts.enumerated() {
      source.withPlane(plane) { bytes, shape in
        output.withMutablePlane(plane) { outputBytes, outputShape in
          planes[plane].scale(part, of: bytes, shape.bytesPerRow, to: &outputBytes, outputShape)
        }
      }
    }
    return true
  }
}

extension PixelRect {
  /// Returns the rectangle in chroma samples. An odd side is rounded up unless the plane ends before.
  fileprivate func halved(within width: Int, _ height: Int) -> PixelRect {
    func half(_ length: Int, from start: Int, _ whole: Int) -> Int {
      start / 2 + (length + 1) / 2 <= whole ? (length + 1) / 2 : length / 2
    }
    return PixelRect(
      x: x / 2, y: y / 2, width: half(self.width, from: x, width), height: half(self.height, from: y, height))
  }
}

/// Scales a plane with samples of one or two bytes.
private struct PlaneScaler {
  let channels: Int
  private var columns = AxisFilter(source: 1, output: 1)
  private var rows = AxisFilter(source: 1, output: 1)

  init(channels: Int) { self.channels = channels }

  mutating func scale(
    _ part: PixelRect, of source: Span<UInt8>, _ bytesPerRow: Int, to output: inout MutableSpan<UInt8>,
    _ shape: PixelBufferLayout.Plane
  ) {
    let count = part.width * channels
    let start = part.y * bytesPerRow + part.x * channels
    if part.width == shape.width, part.height == shape.height {
      return output.copyRows(
        shape.height, of: source.extracting(start...), every: bytesPerRow, toEvery: shape.bytesPerRow,
        rowBytes: count)
    }
    if columns.source != part.width || columns.output != shape.width {
      columns = AxisFilter(source: part.width, output: shape.width)
    }
    if rows.source != part.height || rows.output != shape.height {
      rows = AxisFilter(source: part.height, output: shape.height)
    }
    let source = source.extracting(start..<(start + (part.height - 1) * bytesPerRow + count))
    precondition(
      (shape.height - 1) * shape.bytesPerRow + shape.width * channels <= output.count,
      "the output is too small")
    // The zeros after the row are read with weights of zero.
    var line = [UInt16](repeating: 0, count: count + 4 * columns.groups * channels)
    // UNSAFE: the ranges are checked above; the filters are made for these sizes, so their samples are within the line.
    unsafe columns.withFilter { columns in
      unsafe rows.withFilter { rows in
        unsafe source.withUnsafeBufferPointer { source in
          unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe cpixels_scale(
              source.baseAddress, bytesPerRow, Int32(part.width), Int32(part.height), output.baseAddress,
              shape.bytesPerRow, Int32(shape.width), Int32(shape.height), Int32(channels), columns, rows,
              &line)
          }
        }
      }
    }
  }
}
