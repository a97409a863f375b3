import CoreVideo

/// Crops and scales 420f and 420v frames as ``AxisFilter`` defines it; the chroma plane is scaled like an image of its own.
/// Tables stay while the sizes stay.
package struct NV12Scaler {
  private var planes = [PlaneScaler(channels: 1), PlaneScaler(channels: 2)]

  package init() {}

  package static func canScale(_ buffer: CVPixelBuffer) -> Bool {
    SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(buffer)) != nil
  }

  /// Fills `output` with `part` of `source`, whose left and top are even.
  /// - Returns: `false`, with nothing written, when the formats differ or are not supported, or when the part is not
  ///   within the source.
  package mutating func scale(_ source: CVPixelBuffer, part: PixelRect, to output: CVPixelBuffer) -> Bool {
    guard Self.canScale(source),
      CVPixelBufferGetPixelFormatType(source) == CVPixelBufferGetPixelFormatType(output)
    else { return false }
    let parts = (0..<2).map { plane in
      let (width, height) = (
        CVPixelBufferGetWidthOfPlane(source, plane), CVPixelBufferGetHeightOfPlane(source, plane)
      )
      // Checked against the planes and not the image: for odd sizes, the creators of lent planes round the chroma size
      // up or down.
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
  /// The rectangle in chroma samples. An odd side is rounded up unless the plane ends before.
  fileprivate func halved(within width: Int, _ height: Int) -> PixelRect {
    func half(_ length: Int, from start: Int, _ whole: Int) -> Int {
      start / 2 + (length + 1) / 2 <= whole ? (length + 1) / 2 : length / 2
    }
    return PixelRect(
      x: x / 2, y: y / 2, width: half(self.width, from: x, width), height: half(self.height, from: y, height))
  }
}

/// Scales one plane whose samples are bytes or pairs of bytes.
///
/// Rows first: the source rows of an output row are added into a line of 16-bit numbers with 8 fractional bits, in a loop
/// that the compiler vectorises. Then columns: the line becomes the output row.
private struct PlaneScaler {
  /// The bytes of a sample, 1 or 2.
  let channels: Int
  private var columns = AxisFilter(source: 1, output: 1)
  private var rows = AxisFilter(source: 1, output: 1)

  init(channels: Int) { self.channels = channels }

  mutating func scale(
    _ part: PixelRect, of source: Span<UInt8>, _ bytesPerRow: Int, to output: inout MutableSpan<UInt8>,
    _ shape: PixelBufferLayout.Plane
  ) {
    if columns.source != part.width || columns.output != shape.width {
      columns = AxisFilter(source: part.width, output: shape.width)
    }
    if rows.source != part.height || rows.output != shape.height {
      rows = AxisFilter(source: part.height, output: shape.height)
    }
    let count = part.width * channels
    func range(_ row: Int) -> Range<Int> {
      // Below the last row, weights are zero.
      let start = (part.y + min(row, part.height - 1)) * bytesPerRow + part.x * channels
      return start..<(start + count)
    }
    // The zeros after the row are for weights of zero.
    var lineBuffer = [UInt16](repeating: 0, count: count + columns.taps * channels)
    var line = lineBuffer.mutableSpan
    for y in 0..<shape.height {
      for tap in stride(from: 0, to: rows.taps, by: 2) {
        let (row, weight) = (Int(rows.firsts[y]) + tap, y * rows.taps + tap)
        Self.mix(
          source.extracting(range(row)), rows.weights[weight], source.extracting(range(row + 1)),
          rows.weights[weight + 1], into: &line, adds: tap > 0)
      }
      let start = y * shape.bytesPerRow
      // Calls with constants, for which the compiler makes a loop each.
      switch (columns.taps, channels) {
      case (2, 1): narrow(line.span, taps: 2, channels: 1, to: &output, at: start)
      case (2, _): narrow(line.span, taps: 2, channels: 2, to: &output, at: start)
      case (4, 1): narrow(line.span, taps: 4, channels: 1, to: &output, at: start)
      case (4, _): narrow(line.span, taps: 4, channels: 2, to: &output, at: start)
      default: narrow(line.span, taps: columns.taps, channels: channels, to: &output, at: start)
      }
    }
  }

  /// Makes the line the sum of two rows, or adds them to it: at most 255 * 256 in all, which 16 bits hold.
  private static func mix(
    _ first: Span<UInt8>, _ firstWeight: UInt16, _ second: Span<UInt8>, _ secondWeight: UInt16,
    into line: inout MutableSpan<UInt16>, adds: Bool
  ) {
    let count = first.count
    precondition(count <= second.count && count <= line.count)
    // Two loops, which the compiler vectorises.
    if adds {
      for x in 0..<count {
        line[x] &+= UInt16(first[x]) &* firstWeight &+ UInt16(second[x]) &* secondWeight
      }
    } else {
      for x in 0..<count {
        line[x] = UInt16(first[x]) &* firstWeight &+ UInt16(second[x]) &* secondWeight
      }
    }
  }

  @inline(__always)
  private func narrow(
    _ line: Span<UInt16>, taps: Int, channels: Int, to output: inout MutableSpan<UInt8>, at start: Int
  ) {
    let (firsts, weights) = (columns.firsts.span, columns.weights.span)
    precondition(start >= 0 && columns.output * channels <= output.count - start)
    // UNSAFE: the filter is made for these sizes: its samples are within the line. Checked accesses take half as long
    // again.
    for x in 0..<columns.output {
      let first = unsafe Int(firsts[unchecked: x]) &* channels
      for channel in 0..<channels {
        // At most 255 * 65,536 and a half.
        var sum: UInt32 = 32_768
        let index = first &+ channel
        if taps == 2 {
          // One multiplication instead of two.
          let (left, right) = unsafe (
            UInt32(line[unchecked: index]), UInt32(line[unchecked: index &+ channels])
          )
          unsafe sum &+= left &<< 8 &+ (right &- left) &* UInt32(weights[unchecked: 2 &* x &+ 1])
        } else {
          for tap in 0..<taps {
            unsafe sum &+=
              UInt32(line[unchecked: index &+ tap &* channels])
              &* UInt32(weights[unchecked: x &* taps &+ tap])
          }
        }
        unsafe output[unchecked: start &+ x &* channels &+ channel] = UInt8(truncatingIfNeeded: sum &>> 16)
      }
    }
  }
}
