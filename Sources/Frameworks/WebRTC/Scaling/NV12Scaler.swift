import PixelAccess

/// Crops and scales pictures of 8-bit 4:2:0 with two planes, as ``AxisFilter`` says, the chroma plane like a
/// picture of its own. For one thread at a time; tables are kept while sizes stay.
final class NV12Scaler {
  private var luma = PlaneScaler(channels: 1)
  private var chroma = PlaneScaler(channels: 2)

  /// Whether a buffer is of a format this scaler works on.
  static func canScale(_ buffer: CVPixelBuffer) -> Bool {
    let format = CVPixelBufferGetPixelFormatType(buffer)
    return format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      || format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
  }

  /// Fills `output` with `part` of `source`, whose left and top are even.
  /// - Returns: `false`, with nothing written, when a format is not supported, the formats differ, or the part
  ///   is not within the source.
  func scale(_ source: CVPixelBuffer, part: PixelRect, to output: CVPixelBuffer) -> Bool {
    guard Self.canScale(source),
      CVPixelBufferGetPixelFormatType(source) == CVPixelBufferGetPixelFormatType(output)
    else { return false }
    // Checked against the planes themselves, not the picture's size: the makers of lent memory do not agree
    // on whether an odd size has one more chroma sample or one less.
    let (lumaShape, chromaShape) = (source.planeShape(0), source.planeShape(1))
    func half(_ length: Int, from start: Int, within whole: Int) -> Int {
      start / 2 + (length + 1) / 2 <= whole ? (length + 1) / 2 : length / 2
    }
    let chromaPart = PixelRect(
      x: part.x / 2, y: part.y / 2, width: half(part.width, from: part.x, within: chromaShape.width),
      height: half(part.height, from: part.y, within: chromaShape.height))
    guard part.isWithin(lumaShape), chromaPart.isWithin(chromaShape) else { return false }
    Self.scale(source, plane: 0, part: part, to: output, channels: 1, with: &luma)
    Self.scale(source, plane: 1, part: chromaPart, to: output, channels: 2, with: &chroma)
    return true
  }

  private static func scale(
    _ source: CVPixelBuffer, plane: Int, part: PixelRect, to output: CVPixelBuffer, channels: Int,
    with scaler: inout PlaneScaler
  ) {
    source.readPlane(plane) { bytes, shape in
      output.writePlane(plane) { outputBytes, outputShape in
        // UNSAFE: the pointers stay within this call; the part was checked against the plane's shape.
        unsafe bytes.withUnsafeBufferPointer { bytes in
          unsafe outputBytes.withUnsafeMutableBufferPointer { outputBytes in
            guard let from = bytes.baseAddress, let to = outputBytes.baseAddress else { return }
            unsafe scaler.scale(
              PlaneScaler.Source(
                base: from + part.y * shape.bytesPerRow + part.x * channels, bytesPerRow: shape.bytesPerRow,
                width: part.width, height: part.height),
              to: PlaneScaler.Output(
                base: to, bytesPerRow: outputShape.bytesPerRow, width: outputShape.width,
                height: outputShape.height))
          }
        }
      }
    }
  }
}

extension PixelRect {
  /// Whether this is a part, and not an empty one, of a plane.
  fileprivate func isWithin(_ shape: PlaneShape) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= shape.width && y + height <= shape.height
  }
}
