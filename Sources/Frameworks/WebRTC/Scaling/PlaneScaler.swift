/// Scales one plane of bytes, or of pairs of bytes, keeping its tables and its line buffers between pictures.
///
/// Rows first: the source rows of an output row are blended into one line of 16-bit numbers with 8 fractional
/// bits, in loops the compiler turns into vector code. Then columns: the line becomes the output row.
struct PlaneScaler {
  /// A plane's bytes. The owner of the memory keeps it for the time of the call.
  @unsafe struct Source {
    var base: UnsafePointer<UInt8>
    var bytesPerRow: Int
    var width: Int
    var height: Int
  }

  /// A plane's bytes to be written.
  @unsafe struct Output {
    var base: UnsafeMutablePointer<UInt8>
    var bytesPerRow: Int
    var width: Int
    var height: Int
  }

  private let channels: Int
  private var columns = AxisFilter(source: 1, output: 1)
  private var rows = AxisFilter(source: 1, output: 1)
  private var line: [UInt16] = []
  private var sums: [UInt32] = []

  /// A scaler of samples of `channels` bytes, 1 or 2.
  init(channels: Int) { self.channels = channels }

  /// Fills `output` with all of `source`. Sizes are in samples, positive, and within the planes' rows.
  mutating func scale(_ source: Source, to output: Output) {
    // UNSAFE: here and below, sizes are read from a struct that is unsafe only for its pointer.
    if unsafe source.width == output.width && source.height == output.height {
      unsafe copy(source, to: output)
      return
    }
    unsafe prepare(source, output)
    let channels = channels
    let count = unsafe source.width * channels
    let columns = columns
    let rows = rows
    // UNSAFE: the line holds one sample more than a source row, for the blend at the end; the filters were
    // made for these sizes, so every row and column they name is within the planes.
    unsafe line.withUnsafeMutableBufferPointer { line in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        guard let line = line.baseAddress, let sums = sums.baseAddress else { return }
        for y in unsafe 0..<output.height {
          switch rows.kind {
          case .blends(let blends):
            let blend = blends[y]
            let first = Int(blend.index)
            let second = unsafe min(first + 1, source.height - 1)
            unsafe Self.blend(
              source.base + first * source.bytesPerRow, source.base + second * source.bytesPerRow,
              weight: blend.weight, into: line, count: count)
          case .averages(let averages, let weights):
            let average = averages[y]
            unsafe Self.average(
              source, rowsFrom: Int(average.first),
              weights: weights[Int(average.weights)..<Int(average.weights + average.count)],
              sums: sums, into: line, count: count)
          }
          let row = unsafe output.base + y * output.bytesPerRow
          if channels == 1 {
            unsafe Self.narrow(line, columns, into: row)
          } else {
            unsafe Self.narrowPairs(line, columns, into: row)
          }
        }
      }
    }
  }

  private func copy(_ source: Source, to output: Output) {
    for y in unsafe 0..<output.height {
      // UNSAFE: a row of each plane.
      unsafe (output.base + y * output.bytesPerRow).update(
        from: source.base + y * source.bytesPerRow, count: output.width * channels)
    }
  }

  private mutating func prepare(_ source: Source, _ output: Output) {
    // UNSAFE: sizes, as above.
    if unsafe columns.source != source.width || columns.output != output.width {
      columns = unsafe AxisFilter(source: source.width, output: output.width)
    }
    if unsafe rows.source != source.height || rows.output != output.height {
      rows = unsafe AxisFilter(source: source.height, output: output.height)
    }
    let count = unsafe (source.width + 1) * channels
    if line.count != count {
      line = Array(repeating: 0, count: count)
      sums = Array(repeating: 0, count: count)
    }
  }

  /// At most 255 * 256, which 16 bits hold.
  private static func blend(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, weight: UInt16,
    into line: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    let rest = 256 &- weight
    // UNSAFE: `count` bytes of a row each, and as many numbers of the line.
    for x in 0..<count {
      unsafe line[x] = UInt16(first[x]) &* rest &+ UInt16(second[x]) &* weight
    }
  }

  /// At most 255 * 65,536 before the shift, 255 * 256 after it.
  private static func average(
    _ source: Source, rowsFrom first: Int, weights: ArraySlice<UInt32>,
    sums: UnsafeMutablePointer<UInt32>, into line: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    // UNSAFE: `count` sums, as in the loop below; 128 makes the shift round.
    unsafe sums.update(repeating: 128, count: count)
    for (offset, weight) in weights.enumerated() {
      // UNSAFE: a row the filter named, and `count` numbers of the sums and of the line.
      let row = unsafe source.base + (first + offset) * source.bytesPerRow
      for x in 0..<count { unsafe sums[x] &+= UInt32(row[x]) &* weight }
    }
    // UNSAFE: as above.
    for x in 0..<count { unsafe line[x] = UInt16(truncatingIfNeeded: sums[x] &>> 8) }
  }

  private static func narrow(
    _ line: UnsafePointer<UInt16>, _ columns: AxisFilter, into row: UnsafeMutablePointer<UInt8>
  ) {
    switch columns.kind {
    case .blends(let blends):
      // UNSAFE: the filter's places are within the line, its length is the row's.
      unsafe blends.withUnsafeBufferPointer { blends in
        for x in 0..<blends.count {
          let blend = unsafe blends[x]
          let index = Int(blend.index)
          unsafe row[x] = mixed(line[index], line[index &+ 1], blend.weight)
        }
      }
    case .averages(let averages, let weights):
      // UNSAFE: as above.
      unsafe weights.withUnsafeBufferPointer { weights in
        for x in averages.indices {
          unsafe row[x] = mean(line, averages[x], weights, stride: 1)
        }
      }
    }
  }

  private static func narrowPairs(
    _ line: UnsafePointer<UInt16>, _ columns: AxisFilter, into row: UnsafeMutablePointer<UInt8>
  ) {
    switch columns.kind {
    case .blends(let blends):
      // UNSAFE: as above, in pairs.
      unsafe blends.withUnsafeBufferPointer { blends in
        for x in 0..<blends.count {
          let blend = unsafe blends[x]
          let index = 2 &* Int(blend.index)
          unsafe row[2 &* x] = mixed(line[index], line[index &+ 2], blend.weight)
          unsafe row[2 &* x &+ 1] = mixed(line[index &+ 1], line[index &+ 3], blend.weight)
        }
      }
    case .averages(let averages, let weights):
      // UNSAFE: as above.
      unsafe weights.withUnsafeBufferPointer { weights in
        for x in averages.indices {
          unsafe row[2 &* x] = mean(line, averages[x], weights, stride: 2)
          unsafe row[2 &* x &+ 1] = mean(line + 1, averages[x], weights, stride: 2)
        }
      }
    }
  }

  /// At most 255 * 65,536 and a half, shifted back to a byte.
  @inline(__always)
  private static func mixed(_ first: UInt16, _ second: UInt16, _ weight: UInt16) -> UInt8 {
    let difference = Int32(second) &- Int32(first)
    let value = Int32(first) &<< 8 &+ difference &* Int32(weight) &+ 32_768
    return UInt8(truncatingIfNeeded: value &>> 16)
  }

  /// At most 255 * 256 * 65,536 and a half, which 32 bits just hold.
  @inline(__always)
  private static func mean(
    _ line: UnsafePointer<UInt16>, _ average: AxisFilter.Average, _ weights: UnsafeBufferPointer<UInt32>,
    stride: Int
  ) -> UInt8 {
    var sum: UInt32 = 1 << 23
    for sample in 0..<Int(average.count) {
      // UNSAFE: within the line and the weights, as the filter was made for them.
      unsafe sum &+=
        UInt32(line[(Int(average.first) &+ sample) &* stride])
        &* weights[Int(average.weights) &+ sample]
    }
    return UInt8(truncatingIfNeeded: sum &>> 24)
  }
}
