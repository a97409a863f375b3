import Foundation

extension MutableSpan<UInt8> {
  /// Copies all of `source` to `offset`, in one `memcpy`. Traps when it does not fit.
  public mutating func copy(_ source: Span<UInt8>, to offset: Int = 0) {
    precondition(offset >= 0 && source.count <= count - offset, "the bytes do not fit")
    // UNSAFE: both ranges were just checked; the spans cannot overlap, as one of them is mutable.
    unsafe withUnsafeMutableBufferPointer { destination in
      unsafe source.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = destination.baseAddress else { return }
        unsafe (to + offset).update(from: from, count: source.count)
      }
    }
  }

  /// Fills `range` with one value, in one `memset`. Traps when the range is not within the span.
  public mutating func fill(_ range: Range<Int>, with value: UInt8) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is outside of the span")
    // UNSAFE: the range was just checked. `update(repeating:)` would be a loop over the bytes in debug builds.
    unsafe withUnsafeMutableBytes { destination in
      guard let base = destination.baseAddress else { return }
      unsafe memset(base + range.lowerBound, Int32(value), range.count)
    }
  }

  /// Copies the bytes of `range` to `offset` of the same span, in one `memmove`.
  public mutating func copyWithin(_ range: Range<Int>, to offset: Int) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count && offset >= 0 && range.count <= count - offset,
      "the range is outside of the span")
    // UNSAFE: both ranges were just checked; `update(from:)` allows them to overlap.
    unsafe withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe (base + offset).update(from: base + range.lowerBound, count: range.count)
    }
  }
}
