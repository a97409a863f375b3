import Foundation

/// Chroma between the two ways of storing it, eight bytes at a time: whole words keep debug builds usable.
extension MutableSpan<UInt8> {
  /// Writes `count` pairs of a byte of `first` and a byte of `second` to `offset`.
  mutating func interleave(
    _ first: Span<UInt8>, at firstOffset: Int, _ second: Span<UInt8>, at secondOffset: Int, count: Int,
    to offset: Int
  ) {
    precondition(count >= 0 && offset >= 0 && count * 2 <= self.count - offset, "the pairs do not fit")
    precondition(firstOffset >= 0 && count <= first.count - firstOffset, "the first plane is too short")
    precondition(secondOffset >= 0 && count <= second.count - secondOffset, "the second plane is too short")
    // UNSAFE: the three ranges were just checked.
    unsafe withUnsafeMutableBytes { to in
      unsafe first.withUnsafeBytes { first in
        unsafe second.withUnsafeBytes { second in
          var index = 0
          while index &+ 4 <= count {
            let even = unsafe first.loadUnaligned(fromByteOffset: firstOffset &+ index, as: UInt32.self)
            let odd = unsafe second.loadUnaligned(fromByteOffset: secondOffset &+ index, as: UInt32.self)
            let word = spread(UInt32(littleEndian: even)) | spread(UInt32(littleEndian: odd)) << 8
            unsafe to.storeBytes(
              of: word.littleEndian, toByteOffset: offset &+ index &* 2, as: UInt64.self)
            index &+= 4
          }
          while index < count {
            unsafe to[offset + index * 2] = first[firstOffset + index]
            unsafe to[offset + index * 2 + 1] = second[secondOffset + index]
            index += 1
          }
        }
      }
    }
  }

  /// Splits `count` pairs of `pairs` into their first bytes, to `firstOffset`, and second ones, to `secondOffset`.
  mutating func deinterleave(
    _ pairs: Span<UInt8>, at offset: Int, count: Int, first firstOffset: Int, second secondOffset: Int
  ) {
    precondition(count >= 0 && offset >= 0 && count * 2 <= pairs.count - offset, "there are fewer pairs")
    precondition(firstOffset >= 0 && count <= self.count - firstOffset, "the first bytes do not fit")
    precondition(secondOffset >= 0 && count <= self.count - secondOffset, "the second bytes do not fit")
    // UNSAFE: the three ranges were just checked.
    unsafe withUnsafeMutableBytes { to in
      unsafe pairs.withUnsafeBytes { pairs in
        var index = 0
        while index &+ 4 <= count {
          let word = UInt64(
            littleEndian: unsafe pairs.loadUnaligned(fromByteOffset: offset &+ index &* 2, as: UInt64.self))
          unsafe to.storeBytes(
            of: gather(word).littleEndian, toByteOffset: firstOffset &+ index, as: UInt32.self)
          unsafe to.storeBytes(
            of: gather(word >> 8).littleEndian, toByteOffset: secondOffset &+ index, as: UInt32.self)
          index &+= 4
        }
        while index < count {
          unsafe to[firstOffset + index] = pairs[offset + index * 2]
          unsafe to[secondOffset + index] = pairs[offset + index * 2 + 1]
          index += 1
        }
      }
    }
  }

  /// Replaces each byte of `range` by its entry in a table of 256.
  mutating func translate(_ range: Range<Int>, by table: [UInt8]) {
    precondition(table.count == 256 && range.lowerBound >= 0 && range.upperBound <= count)
    // UNSAFE: the range was just checked; a byte cannot lie outside of 256 entries.
    unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe table.withUnsafeBufferPointer { table in
        var index = range.lowerBound
        while index < range.upperBound {
          unsafe bytes[index] = table[Int(bytes[index])]
          index &+= 1
        }
      }
    }
  }
}

/// The four bytes of a number in the even bytes of a word.
@inline(__always)
private func spread(_ bytes: UInt32) -> UInt64 {
  var word = UInt64(bytes)
  word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
  return (word | word << 8) & 0x00FF_00FF_00FF_00FF
}

/// The even bytes of a word.
@inline(__always)
private func gather(_ bytes: UInt64) -> UInt32 {
  var word = bytes & 0x00FF_00FF_00FF_00FF
  word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
  return UInt32(truncatingIfNeeded: word | word >> 16)
}
