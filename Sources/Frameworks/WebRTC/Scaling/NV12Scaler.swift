import PixelAccess

/// Crops and scales 420f and 420v frames as ``AxisFilter`` defines it; the chroma plane is scaled like an image of its own.
///
/// For one thread at a time. Tables stay while the sizes stay.
final class NV12Scaler {
  private var planes = [PlaneScaler(channels: 1), PlaneScaler(channels: 2)]

  /// Returns whether the scaler supports the format of `buffer`.
  static func canScale(_ buffer: CVPixelBuffer) -> Bool {
    let format = CVPixelBufferGetPixelFormatType(buffer)
    return format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      || format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
  }

  /// Fills `output` with `part` of `source`, whose left and top are even.
  /// - Returns: `false`, with nothing written, when the formats differ or are not supported, or when the part is not
  ///   within the source.
  func scale(_ source: CVPixelBuffer, part: PixelRect, to output: CVPixelBuffer) -> Bool {
    guard Self.canScale(source),
      CVPixelBufferGetPixelFormatType(source) == CVPixelBufferGetPixelFormatType(output)
    else { return false }
    // Checked against the planes and not the image: for odd sizes, the creators of lent planes round the chroma size
    // up or down.
    let (lumaShape, chromaShape) = (source.planeShape(0), source.planeShape(1))
    func half(_ length: Int, from start: Int, within whole: Int) -> Int {
      start / 2 + (length + 1) / 2 <= whole ? (length + 1) / 2 : length / 2
    }
    let chromaPart = PixelRect(
      x: part.x / 2, y: part.y / 2, width: half(part.width, from: part.x, within: chromaShape.width),
      height: half(part.height, from: part.y, within: chromaShape.height))
    guard part.isWithin(lumaShape), chromaPart.isWithin(chromaShape) else { return false }
    for (plane, part) in [part, chromaPart].enumerated() {
      source.readPlane(plane) { bytes, shape in
        output.writePlane(plane) { outputBytes, outputShape in
          planes[plane].scale(part, of: bytes, shape, to: &outputBytes, outputShape)
        }
      }
    }
    return true
  }
}

extension PixelRect {
  /// Whether the rectangle has pixels and is within a plane.
  fileprivate func isWithin(_ shape: PlaneShape) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= shape.width && y + height <= shape.height
  }
}

/// Scales one plane whose samples are bytes or pairs of bytes.
///
/// Rows first: the source rows of an output row are mixed into a line of 16-bit numbers with 8 fractional bits, in loops
/// that the compiler vectorises. Then columns: the line becomes the output row.
private struct PlaneScaler {
  private let channels: Int
  private var columns = AxisFilter(source: 1, output: 1)
  private var rows = AxisFilter(source: 1, output: 1)

  /// - Parameter channels: the bytes of a sample, 1 or 2.
  init(channels: Int) { self.channels = channels }

  /// Fills the output plane with `part` of the source plane, which contains it.
  mutating func scale(
    _ part: PixelRect, of source: Span<UInt8>, _ shape: PlaneShape, to output: inout MutableSpan<UInt8>,
    _ outputShape: PlaneShape
  ) {
    if columns.source != part.width || columns.output != outputShape.width {
      columns = AxisFilter(source: part.width, output: outputShape.width)
    }
    if rows.source != part.height || rows.output != outputShape.height {
      rows = AxisFilter(source: part.height, output: outputShape.height)
    }
    let count = part.width * channels
    func range(_ row: Int) -> Range<Int> {
      let start = (part.y + row) * shape.bytesPerRow + part.x * channels
      return start..<(start + count)
    }
    // One sample more than a row, for the blend at the end.
    var lineBuffer = [UInt16](repeating: 0, count: count + channels)
    var sumBuffer = [UInt32](repeating: 0, count: count)
    var line = lineBuffer.mutableSpan
    var sums = sumBuffer.mutableSpan
    for y in 0..<outputShape.height {
      switch rows.kind {
      case .blends(let blends):
        let first = Int(blends[y].index)
        Self.blend(
          source.extracting(range(first)), source.extracting(range(min(first + 1, part.height - 1))),
          weight: blends[y].weight, into: &line)
      case .averages(let averages, let weights):
        let average = averages[y]
        for x in 0..<count { sums[x] = 128 }
        for row in 0..<Int(average.count) {
          Self.add(
            source.extracting(range(Int(average.first) + row)),
            weight: weights[Int(average.weights) + row], to: &sums)
        }
        for x in 0..<count { line[x] = UInt16(truncatingIfNeeded: sums[x] &>> 8) }
      }
      let start = y * outputShape.bytesPerRow
      // Two calls, so that the compiler knows the number of channels.
      if channels == 1 {
        Self.narrow(line.span, columns, into: &output, at: start, channels: 1)
      } else {
        Self.narrow(line.span, columns, into: &output, at: start, channels: 2)
      }
    }
  }

  /// Mixes two rows into the line: at most 255 * 256, which 16 bits hold.
  private static func blend(
    _ first: Span<UInt8>, _ second: Span<UInt8>, weight: UInt16, into line: inout MutableSpan<UInt16>
  ) {
    let rest = 256 &- weight
    let count = first.count
    precondition(count <= second.count && count <= line.count)
    for x in 0..<count { line[x] = UInt16(first[x]) &* rest &+ UInt16(second[x]) &* weight }
  }

  /// Adds a row to the sums: at most 255 * 65,536 in all.
  private static func add(_ row: Span<UInt8>, weight: UInt32, to sums: inout MutableSpan<UInt32>) {
    let count = row.count
    precondition(count <= sums.count)
    for x in 0..<count { sums[x] &+= UInt32(row[x]) &* weight }
  }

  /// Scales the line to the output row at `start`.
  @inline(__always)
  private static func narrow(
    _ line: Span<UInt16>, _ columns: AxisFilter, into output: inout MutableSpan<UInt8>, at start: Int,
    channels: Int
  ) {
    precondition(start >= 0 && columns.output * channels <= output.count - start)
    // UNSAFE: below, the filter is made for these sizes: its places are within the line. Checked accesses
    // take half as long again.
    switch columns.kind {
    case .blends(let blends):
      let blends = blends.span
      for x in 0..<blends.count {
        let blend = unsafe blends[unchecked: x]
        for channel in 0..<channels {
          let index = Int(blend.index) &* channels &+ channel
          let first = unsafe Int32(line[unchecked: index])
          let second = unsafe Int32(line[unchecked: index &+ channels])
          // At most 255 * 65,536 and a half.
          let value = first &<< 8 &+ (second &- first) &* Int32(blend.weight) &+ 32_768
          unsafe output[unchecked: start &+ x &* channels &+ channel] = UInt8(
            truncatingIfNeeded: value &>> 16)
        }
      }
    case .averages(let averages, let weights):
      let (averages, weights) = (averages.span, weights.span)
      for x in 0..<averages.count {
        let average = averages[x]
        for channel in 0..<channels {
          // At most 255 * 256 * 65,536 and a half, which 32 bits just hold.
          var sum: UInt32 = 1 << 23
          for sample in 0..<Int(average.count) {
            let index = (Int(average.first) &+ sample) &* channels &+ channel
            unsafe sum &+=
              UInt32(line[unchecked: index]) &* weights[unchecked: Int(average.weights) &+ sample]
          }
          unsafe output[unchecked: start &+ x &* channels &+ channel] = UInt8(truncatingIfNeeded: sum &>> 24)
        }
      }
    }
  }
}
