/// Frames of a few words that all contain the frame's number: cheap to write and to check.
///
/// The length follows from the number too, so that the length of another frame is detected.
enum NumberedWords {
  /// The bytes of the largest frame.
  static let capacity = 1016

  /// The bytes of the smallest frame.
  static let shortest = 64

  /// The bytes of frame `number`: 64 to 1016, whole words.
  static func byteCount(of number: UInt64) -> Int {
    shortest + 8 * Int((number &* 0x9E37_79B9_7F4A_7C15) >> 40 % 120)
  }

  /// Writes frame `number` over all bytes of a slot.
  static func write(_ number: UInt64, into slot: inout MutableSpan<UInt8>) {
    for index in slot.indices { slot[index] = byte(index, of: number) }
  }

  /// Whether a range of bytes, which begins at a whole word, belongs to frame `number`.
  static func belong(_ bytes: Span<UInt8>, _ range: Range<Int>, to number: UInt64) -> Bool {
    var difference: UInt8 = 0
    for index in range {
      difference |= bytes[index] ^ byte(index, of: number)
    }
    return difference == 0
  }

  private static func byte(_ index: Int, of number: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: number >> UInt64((index & 7) * 8))
  }
}
