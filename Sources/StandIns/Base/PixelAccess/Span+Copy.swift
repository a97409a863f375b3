import CPixels
import Foundation

extension MutableSpan<UInt8> {
  /// Copies `source` to `offset` in one `memcpy`. Traps if it does not fit.
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

  /// Copies rows that start every `sourceStride` bytes of `source` to rows that start every `stride` bytes from `offset`.
  ///
  /// Each row has `rowBytes` bytes (default: the smaller stride). Traps if a row is not within its span.
  package mutating func copyRows(
    _ rows: Int, of source: Span<UInt8>, every sourceStride: Int, to offset: Int = 0, toEvery stride: Int,
    rowBytes: Int? = nil
  ) {
    let rowBytes = rowBytes ?? min(sourceStride, stride)
    guard rows > 0 else { return }
    precondition(
      offset >= 0 && sourceStride >= 0 && stride >= 0 && rowBytes >= 0
        && (rows - 1) * sourceStride + rowBytes <= source.count
        && (rows - 1) * stride + rowBytes <= count - offset, "the rows do not fit")
    // UNSAFE: both ranges are checked above.
    unsafe withUnsafeMutableBufferPointer { target in
      unsafe source.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe cpixels_copy_rows(from, sourceStride, to + offset, stride, rowBytes, rows)
      }
    }
  }

  /// Sets the bytes of `range` to one value in one `memset`. Traps if the range is not within the span.
  package mutating func fill(_ range: Range<Int>, with value: UInt8) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is outside of the span")
    // UNSAFE: the range is checked above. `update(repeating:)` is a loop over the bytes in debug builds.
    unsafe withUnsafeMutableBytes { destination in
      guard let base = destination.baseAddress else { return }
      unsafe memset(base + range.lowerBound, Int32(value), range.count)
    }
  }

  /// Copies the bytes of `range` to `offset` of the same span in one `memmove`. Traps if source or target is not within the span.
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

  /// Replaces each byte of `range` by its entry in a table of 256. Traps if the range is not within the span.
  package mutating func translate(_ range: Range<Int>, by table: [UInt8]) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count && table.count == 256,
      "the range is outside of the span")
    // UNSAFE: the range and the table are checked above.
    unsafe withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe cpixels_translate(base + range.lowerBound, range.count, table)
    }
  }

  /// Writes `count` pairs of a byte of `first` and a byte of `second` to `offset`. Traps if a range is not within its
  /// span.
  package mutating func interleave(
    _ first: Span<UInt8>, at firstOffset: Int, _ second: Span<UInt8>, at secondOffset: Int, count: Int,
    to offset: Int
  ) {
    let first = first.extracting(firstOffset..<(firstOffset + count))
    let second = second.extracting(secondOffset..<(secondOffset + count))
    precondition(offset >= 0 && count * 2 <= self.count - offset, "the pairs do not fit")
    // UNSAFE: the ranges are checked above.
    unsafe withUnsafeMutableBufferPointer { pairs in
      unsafe first.withUnsafeBufferPointer { first in
        unsafe second.withUnsafeBufferPointer { second in
          guard let pairs = pairs.baseAddress else { return }
          unsafe cpixels_interleave(first.baseAddress, second.baseAddress, pairs + offset, count)
        }
      }
    }
  }

  /// Splits `count` pairs: their first bytes go to `firstOffset`, their second bytes to `secondOffset`. Traps if a
  /// range is not within its span.
  package mutating func deinterleave(
    _ pairs: Span<UInt8>, at offset: Int, count: Int, first firstOffset: Int, second secondOffset: Int
  ) {
    let pairs = pairs.extracting(offset..<(offset + count * 2))
    precondition(
      firstOffset >= 0 && count <= self.count - firstOffset && secondOffset >= 0
        && count <= self.count - secondOffset, "the bytes do not fit")
    // UNSAFE: the ranges are checked above.
    unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe pairs.withUnsafeBufferPointer { pairs in
        guard let bytes = bytes.baseAddress else { return }
        unsafe cpixels_deinterleave(pairs.baseAddress, bytes + firstOffset, bytes + secondOffset, count)
      }
    }
  }
}

extension Span<UInt8> {
  /// Returns the sum of the bytes in `columns` of `rows`. Rows start every `stride` bytes. Traps if a row is not within the span.
  package func sum(_ columns: Range<Int>, of rows: Range<Int>, every stride: Int) -> Int {
    guard !rows.isEmpty else { return 0 }
    let bytes = extracting(
      rows.lowerBound * stride + columns.lowerBound..<(rows.upperBound - 1) * stride + columns.upperBound)
    // UNSAFE: the range is checked above.
    return unsafe bytes.withUnsafeBufferPointer {
      unsafe Int(cpixels_sum($0.baseAddress, stride, columns.count, rows.count))
    }
  }
}
