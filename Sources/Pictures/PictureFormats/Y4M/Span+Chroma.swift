extension MutableSpan<UInt8> {
  /// Writes `count` pairs of a byte of `first` and a byte of `second` to `offset`. Traps when a range is not within its
  /// span.
  mutating func interleave(
    _ first: Span<UInt8>, at firstOffset: Int, _ second: Span<UInt8>, at secondOffset: Int, count: Int,
    to offset: Int
  ) {
    let first = first.extracting(firstOffset..<(firstOffset + count))
    let second = second.extracting(secondOffset..<(secondOffset + count))
    precondition(offset >= 0 && count * 2 <= self.count - offset, "the pairs do not fit")
    for index in 0..<count {
      self[offset &+ index &* 2] = first[index]
      self[offset &+ index &* 2 &+ 1] = second[index]
    }
  }

  /// Splits `count` pairs of `pairs` into their first bytes, to `firstOffset`, and their second ones, to `secondOffset`.
  /// Traps when a range is not within its span.
  mutating func deinterleave(
    _ pairs: Span<UInt8>, at offset: Int, count: Int, first firstOffset: Int, second secondOffset: Int
  ) {
    let pairs = pairs.extracting(offset..<(offset + count * 2))
    precondition(firstOffset >= 0 && count <= self.count - firstOffset, "the first bytes do not fit")
    precondition(secondOffset >= 0 && count <= self.count - secondOffset, "the second bytes do not fit")
    for index in 0..<count {
      self[firstOffset &+ index] = pairs[index &* 2]
      self[secondOffset &+ index] = pairs[index &* 2 &+ 1]
    }
  }
}
