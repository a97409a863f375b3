import Foundation

extension MutableSpan<UInt8> {
  /// Fills `count` bytes from `offset` with a tag that repeats from `phase` bytes before `offset`. Traps when the range is
  /// not within the span.
  mutating func repeatTag(_ tag: (low: UInt64, high: UInt64), offset: Int, count: Int, phase: Int) {
    precondition(
      offset >= 0 && count >= 0 && count <= self.count - offset && phase >= 0,
      "the range is outside of the span")
    let (low, high) = (tag.low.littleEndian, tag.high.littleEndian)
    // UNSAFE: the range is checked above; the source is the tag twice, so any phase below 16 has 16 bytes.
    unsafe withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let start = unsafe base + offset
      var filled = Swift.min(ProofTag.byteCount, count)
      unsafe Swift.withUnsafeBytes(of: (low, high, low, high)) { source in
        guard let from = source.baseAddress else { return }
        unsafe memcpy(start, from + phase % ProofTag.byteCount, filled)
      }
      // Each step doubles the filled bytes: a few calls per row.
      while filled < count {
        let length = Swift.min(filled, count - filled)
        unsafe memcpy(start + filled, start, length)
        filled += length
      }
    }
  }
}

extension Span<UInt8> {
  /// Returns the eight bytes at `offset`, the first in the lowest bits.
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count - 8, "the word is outside of the span")
    // UNSAFE: the range is checked above; any eight bytes are a number.
    return unsafe withUnsafeBytes { bytes in
      unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// Returns whether `width` bytes from `offset` are the repeated tag.
  func isRepeated(_ tag: (low: UInt64, high: UInt64), offset: Int, width: Int) -> Bool {
    precondition(offset >= 0 && width >= 0 && width <= count - offset, "the row is outside of the span")
    let (low, high) = (tag.low.littleEndian, tag.high.littleEndian)
    // UNSAFE: the range is checked above.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return width == 0 }
      let row = unsafe base + offset
      let head = Swift.min(width, ProofTag.byteCount)
      let starts = unsafe Swift.withUnsafeBytes(of: (low, high)) { source in
        guard let from = source.baseAddress else { return false }
        return unsafe memcmp(row, from, head) == 0
      }
      // A row that starts with the tag and equals itself sixteen bytes later is the repeated tag.
      return unsafe starts && memcmp(row, row + head, width - head) == 0
    }
  }

  /// Returns whether `width` bytes from `offset` are the repeated tag, each byte at one of the three levels.
  func isRepeated(atAnyLevel tag: ProofTag, offset: Int, width: Int) -> Bool {
    precondition(offset >= 0 && width >= 0 && width <= count - offset, "the row is outside of the span")
    let (plain, dark, lit) = (tag.luma(.plain), tag.luma(.dark), tag.luma(.lit))
    // UNSAFE: the range is checked above; words are within whole tags.
    let whole = width / ProofTag.byteCount * ProofTag.byteCount
    let deviation = unsafe withUnsafeBytes { bytes in
      var deviation: UInt64 = 0
      var index = offset
      let end = offset + whole
      while index < end {
        let low = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let high = unsafe UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
        deviation |= ~(zeroBytes(low ^ plain.low) | zeroBytes(low ^ dark.low) | zeroBytes(low ^ lit.low))
        deviation |=
          ~(zeroBytes(high ^ plain.high) | zeroBytes(high ^ dark.high) | zeroBytes(high ^ lit.high))
        index &+= ProofTag.byteCount
      }
      return deviation & 0x8080_8080_8080_8080
    }
    guard deviation == 0 else { return false }
    return (whole..<width).allSatisfy { tag.allows(self[offset + $0], column: $0, plane: 0) }
  }
}

/// Returns the highest bit of every byte of `word` that is zero.
@inline(__always)
private func zeroBytes(_ word: UInt64) -> UInt64 {
  let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  return ~(((word & low) &+ low) | word | low)
}
