/// Frames of a few words that all contain the frame's number, so that they are cheap to write and to check.
///
/// The length follows from the number too, so that the length of another frame is detected.
enum NumberedWords {
  static let shortest = 64
  static let capacity = 1016

  /// Returns the byte count of frame `number`: 64 to 1016, whole words.
  static func byteCount(of number: UInt64) -> Int {
    shortest + 8 * Int((number &* 0x9E37_79B9_7F4A_7C15) >> 40 % 120)
  }

  static func write(_ number: UInt64, into slot: inout MutableSpan<UInt8>) {
    for index in slot.indices { slot[index] = byte(index, of: number) }
  }

  /// Returns the fault of frame `number`; `nil` if the frame is intact.
  static func fault(in bytes: Span<UInt8>, number: UInt64) -> String? {
    guard bytes.count == byteCount(of: number) else { return "frame \(number) has another frame's length" }
    var difference: UInt8 = 0
    for index in bytes.indices { difference |= bytes[index] ^ byte(index, of: number) }
    return difference == 0 ? nil : "frame \(number) contains words of another frame"
  }

  private static func byte(_ index: Int, of number: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: number >> UInt64((index & 7) * 8))
  }
}
