import Foundation

extension MutableSpan<UInt8> {
  /// Copies `source` to `offset` in one `memcpy`. Traps when it does not fit.
  package mutating func copy(_ source: Span<UInt8>, to offset: Int = 0) {
    precondition(offset >= 0 && source.count <= count - offset, "the bytes do not fit")
    // UNSAFE: both ranges are checked above; a mutable span overlaps no other span.
    unsafe withUnsafeMutableBufferPointer { destination in
      unsafe source.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = destination.baseAddress else { return }
        unsafe (to + offset).update(from: from, count: source.count)
      }
    }
  }

  /// Copies rows that start every `sourceStride` bytes of `source` to every `stride` bytes from `offset` on.
  ///
  /// Copies `rowBytes` bytes of each row, or as many as both strides have. One `memcpy` suffices when the rows have no
  /// gaps. Traps when a row is not within its span.
  package mutating func copyRows(
    _ rows: Int, of source: Span<UInt8>, every sourceStride: Int, to offset: Int = 0, toEvery stride: Int,
    rowBytes: Int? = nil
  ) {
    let rowBytes = rowBytes ?? min(sourceStride, stride)
    if sourceStride == stride, rowBytes == stride {
      return copy(source.extracting(0..<(rows * rowBytes)), to: offset)
    }
    for row in 0..<rows {
      let start = row * sourceStride
      copy(source.extracting(start..<(start + rowBytes)), to: offset + row * stride)
    }
  }

  /// Sets the bytes of `range` to one value in one `memset`. Traps when the range is not within the span.
  package mutating func fill(_ range: Range<Int>, with value: UInt8) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is outside of the span")
    // UNSAFE: the range is checked above. `update(repeating:)` is a loop over the bytes in debug builds.
    unsafe withUnsafeMutableBytes { destination in
      guard let base = destination.baseAddress else { return }
      unsafe memset(base + range.lowerBound, Int32(value), range.count)
    }
  }

  /// Copies the bytes of `range` to `offset` of the same span in one `memmove`. Traps when either is not within it.
  package mutating func copyWithin(_ range: Range<Int>, to offset: Int) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count && offset >= 0 && range.count <= count - offset,
      "the range is outside of the span")
    // UNSAFE: both ranges are checked above; `update(from:)` allows an overlap.
    unsafe withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe (base + offset).update(from: base + range.lowerBound, count: range.count)
    }
  }

  /// Replaces each byte of `range` by its entry in a table of 256.
  package mutating func translate(_ range: Range<Int>, by table: [UInt8]) {
    let table = table.span
    for index in range { self[index] = table[Int(self[index])] }
  }
}
