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
      // Checked against the planes and not the image: a buffer over a handler's own planes may round the chroma size of an
      // odd size up or down.
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
/// Rows first: the source rows of an output row are added into a line of numbers with 7 or 8 fractional bits, in a loop that
/// the compiler vectorises. Then columns: the line becomes the output row.
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
    let count = part.width * channels
    if part.width == shape.width, part.height == shape.height {
      let start = part.y * bytesPerRow + part.x * channels
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
    func range(_ row: Int) -> Range<Int> {
      // Below the last row, weights are zero.
      let start = (part.y + min(row, part.height - 1)) * bytesPerRow + part.x * channels
      return start..<(start + count)
    }
    // The zeros after the row are for weights of zero.
    var lineBuffer = [UInt16](repeating: 0, count: count + 4 * columns.groups * channels)
    var line = lineBuffer.mutableSpan
    for y in 0..<shape.height {
      for group in 0..<rows.groups {
        let row = Int(rows.firsts[y]) + 4 * group
        mix(
          source.extracting(range(row)), source.extracting(range(row + 1)), source.extracting(range(row + 2)),
          source.extracting(range(row + 3)), weightsFrom: rows.index(of: y, group), into: &line,
          isFirst: group == 0,
          halves: columns.taps > 2 && group == rows.groups - 1)
      }
      let start = y * shape.bytesPerRow
      // Calls with constants, for which the compiler makes a loop each.
      switch (columns.taps, channels) {
      case (...2, 1): blend(line.span, channels: 1, to: &output, at: start)
      case (...2, _): blend(line.span, channels: 2, to: &output, at: start)
      case (...4, 1): average(line.span, groups: 1, channels: 1, to: &output, at: start)
      case (...4, _): average(line.span, groups: 1, channels: 2, to: &output, at: start)
      case (_, 1): average(line.span, groups: columns.groups, channels: 1, to: &output, at: start)
      case (_, _): average(line.span, groups: columns.groups, channels: 2, to: &output, at: start)
      }
    }
  }

  /// Makes the line the sum of four rows, or adds them to it: at most 255 * 256, which 16 bits hold. Halves it on request,
  /// for the signed numbers of ``products(_:_:)``.
  private func mix(
    _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>, _ fourth: Span<UInt8>,
    weightsFrom index: Int, into line: inout MutableSpan<UInt16>, isFirst: Bool, halves: Bool
  ) {
    let count = first.count
    precondition(
      count <= second.count && count <= third.count && count <= fourth.count && count <= line.count)
    let weights = (
      UInt16(rows.weights[index]), UInt16(rows.weights[index + 1]), UInt16(rows.weights[index + 2]),
      UInt16(rows.weights[index + 3])
    )
    let shift: UInt16 = halves ? 1 : 0

    @inline(__always) func add(rows: Int, toLine adds: Bool) {
      for x in 0..<count {
        var sum = adds ? line[x] : 0
        sum &+= UInt16(first[x]) &* weights.0 &+ UInt16(second[x]) &* weights.1
        if rows > 2 { sum &+= UInt16(third[x]) &* weights.2 }
        if rows > 3 { sum &+= UInt16(fourth[x]) &* weights.3 }
        line[x] = sum &>> shift
      }
    }
    // Calls with constants, for which the compiler makes a vectorised loop each.
    switch (isFirst, weights.2, weights.3) {
    case (true, 0, 0): add(rows: 2, toLine: false)
    case (true, _, 0): add(rows: 3, toLine: false)
    case (true, _, _): add(rows: 4, toLine: false)
    case (false, 0, 0): add(rows: 2, toLine: true)
    case (false, _, _): add(rows: 4, toLine: true)
    }
  }

  /// Makes the output row of pairs of samples. Without vectors, which take three times as long in a debug build.
  @inline(__always)
  private func blend(
    _ line: Span<UInt16>, channels: Int, to output: inout MutableSpan<UInt8>, at start: Int
  ) {
    let (firsts, weights) = (columns.firsts.span, columns.weights.span)
    precondition(start >= 0 && columns.output * channels <= output.count - start)
    // UNSAFE: the filter is made for these sizes: its samples are within the line. Checked accesses take half as long
    // again.
    for x in 0..<columns.output {
      let first = unsafe Int(firsts[unchecked: x]) &* channels
      for channel in 0..<channels {
        let index = first &+ channel
        let (left, right) = unsafe (
          UInt32(line[unchecked: index]), UInt32(line[unchecked: index &+ channels])
        )
        // One multiplication instead of two. At most 255 * 65,536 and a half.
        let sum =
          unsafe left &<< 8 &+ (right &- left) &* UInt32(truncatingIfNeeded: weights[unchecked: 4 &* x &+ 1])
          &+ 32_768
        unsafe output[unchecked: start &+ x &* channels &+ channel] = UInt8(truncatingIfNeeded: sum &>> 16)
      }
    }
  }

  /// Makes the output row of more than two samples each, four bytes at a time.
  @inline(__always)
  private func average(
    _ line: Span<UInt16>, groups: Int, channels: Int, to output: inout MutableSpan<UInt8>, at start: Int
  ) {
    let firsts = columns.firsts.span
    // UNSAFE: integers have no bytes without a value.
    let (weights, samples) = unsafe (columns.weights.span.bytes, line.bytes)
    let count = columns.output * channels
    precondition(start >= 0 && count <= output.count - start)

    // UNSAFE: as in `blend`.
    @inline(__always) func first(_ sample: Int) -> Int { unsafe Int(firsts[unchecked: sample]) }
    @inline(__always) func four(_ numbers: RawSpan, _ index: Int) -> SIMD4<Int16> {
      unsafe numbers.unsafeLoadUnaligned(fromUncheckedByteOffset: 2 &* index, as: SIMD4<Int16>.self)
    }
    @inline(__always) func eight(_ numbers: RawSpan, _ index: Int) -> SIMD8<Int16> {
      unsafe numbers.unsafeLoadUnaligned(fromUncheckedByteOffset: 2 &* index, as: SIMD8<Int16>.self)
    }
    /// Two parts of the sum of an output byte and two of the next one's.
    @inline(__always) func sums(_ byte: Int) -> SIMD4<Int32> {
      var sums = SIMD4<Int32>()
      for group in 0..<groups {
        if channels == 1 {
          let (left, right) = (
            four(samples, first(byte) &+ 4 &* group), four(samples, first(byte &+ 1) &+ 4 &* group)
          )
          sums &+= Self.products(
            SIMD8(lowHalf: left, highHalf: right), eight(weights, columns.index(of: byte, group)))
        } else {
          let pairs = eight(samples, 2 &* (first(byte / 2) &+ 4 &* group))
          let weights = four(weights, columns.index(of: byte / 2, group))
          sums &+= Self.products(
            SIMD8(lowHalf: pairs.evenHalf, highHalf: pairs.oddHalf),
            SIMD8(lowHalf: weights, highHalf: weights))
        }
      }
      return sums
    }
    for byte in stride(from: 0, to: count, by: 4) {
      let parts = SIMD8(lowHalf: sums(byte), highHalf: sums(byte &+ 2))
      // At most 255 * 32,768 and a half.
      let sum = (parts.evenHalf &+ parts.oddHalf &+ 16_384) &>> 15
      let bytes = SIMD4(
        UInt8(truncatingIfNeeded: sum[0]), UInt8(truncatingIfNeeded: sum[1]),
        UInt8(truncatingIfNeeded: sum[2]), UInt8(truncatingIfNeeded: sum[3]))
      if byte &+ 4 <= count {
        // UNSAFE: the four bytes are within the row, which is within the output.
        var bytesOfOutput = unsafe output.mutableBytes
        unsafe bytesOfOutput.storeBytes(
          of: bytes, toUncheckedByteOffset: start &+ byte, as: SIMD4<UInt8>.self)
      } else {
        for index in 0..<(count - byte) { output[start + byte + index] = bytes[index] }
      }
    }
  }

  /// The sums of neighbouring products: one instruction of the processor. The numbers are widened one by one because the
  /// conversion of whole vectors takes microseconds in a debug build.
  @inline(__always)
  private static func products(_ numbers: SIMD8<Int16>, _ weights: SIMD8<Int16>) -> SIMD4<Int32> {
    @inline(__always) func wide(_ narrow: SIMD8<Int16>) -> SIMD8<Int32> {
      SIMD8(
        Int32(narrow[0]), Int32(narrow[1]), Int32(narrow[2]), Int32(narrow[3]), Int32(narrow[4]),
        Int32(narrow[5]), Int32(narrow[6]), Int32(narrow[7]))
    }
    let products = wide(numbers) &* wide(weights)
    return products.evenHalf &+ products.oddHalf
  }
}
