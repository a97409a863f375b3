import Foundation
import PixelAccess

extension MutableSpan<UInt8> {
  /// Fills `count` bytes from `offset` with a tag that repeats from `phase` bytes before `offset`. Traps when the range is
  /// not within the span.
  mutating func repeatTag(_ tag: ProofTag.Bytes, offset: Int, count: Int, phase: Int) {
    var filled = Swift.min(ProofTag.byteCount, count)
    for index in 0..<filled { self[offset + index] = tag[(phase + index) % ProofTag.byteCount] }
    // Each step doubles the filled bytes: a few calls per row.
    while filled < count {
      let length = Swift.min(filled, count - filled)
      copyWithin(offset..<offset + length, to: offset + filled)
      filled += length
    }
  }
}

extension Span<UInt8> {
  /// Returns the sixteen bytes at `offset`. Traps when they are not within the span.
  func tagBytes(at offset: Int) -> ProofTag.Bytes {
    precondition(offset >= 0 && offset <= count - ProofTag.byteCount, "the tag is outside of the span")
    // UNSAFE: the range is checked above; any bytes are a vector.
    return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: ProofTag.Bytes.self) }
  }

  /// Returns whether `width` bytes from `offset` are the repeated tag. Each byte may be of one of several `levels`.
  func isRepeated(_ levels: [ProofTag.Bytes], offset: Int, width: Int) -> Bool {
    let whole = width / ProofTag.byteCount * ProofTag.byteCount
    if whole > 0, tagBytes(at: offset) == levels[0], repeats(offset..<offset + width) { return true }
    for start in stride(from: offset, to: offset + whole, by: ProofTag.byteCount) {
      let bytes = tagBytes(at: start)
      if bytes == levels[0] { continue }
      var matches = bytes .== levels[0]
      for level in levels.dropFirst() { matches .|= bytes .== level }
      if !all(matches) { return false }
    }
    return (whole..<width).allSatisfy { column in
      levels.contains { $0[column - whole] == self[offset + column] }
    }
  }

  /// Returns whether a row equals itself sixteen bytes later.
  private func repeats(_ range: Range<Int>) -> Bool {
    // UNSAFE: both parts are within the extracted span.
    unsafe extracting(range).withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe memcmp(base, base + ProofTag.byteCount, bytes.count - ProofTag.byteCount) == 0
    }
  }
}
