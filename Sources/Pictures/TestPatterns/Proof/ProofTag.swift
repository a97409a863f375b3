import CPixels

/// The sixteen bytes that a row of the `proof` pattern repeats. They encode the frame number, the plane and the row.
///
/// | digits | content |
/// | --- | --- |
/// | 0…6 | frame number, bits 4…31, lowest digit first |
/// | 7 | 0 |
/// | 8…11 | row of the plane; the highest bit is set in the chroma plane |
/// | 12…15 | a checksum of the row field |
///
/// The lowest digit of the frame number is added to every digit, modulo 16. Therefore each *single* byte differs from the byte at
/// the same position in the fourteen frames before and after.
///
/// A luma byte is `64 + 4·digit`, minus 46 behind text and plus 97 in text; the two lowest bits distinguish the three cases. A
/// chroma byte is `112 + 2·digit`. All values are legal in both full and video range.
struct ProofTag: Sendable, Equatable {
  /// Digits 0…7, one per byte, with digit 0 in the lowest byte.
  let low: UInt64
  /// Digits 8…15.
  let high: UInt64

  static let byteCount = 16

  /// The luma of a tag.
  enum Level: Int32 {
    case plain, dark, lit
  }

  /// Creates the tag of a row of plane 0 (luma) or 1 (chroma).
  init(frame: UInt32, plane: Int, row: Int) {
    let tag = cpixels_proof_tag(frame, Int32(plane), Int32(row))
    (low, high) = (tag.low, tag.high)
  }

  /// Whether `byte` can occur in `column` of a row of this tag.
  func allows(_ byte: UInt8, column: Int, plane: Int) -> Bool {
    let index = UInt64(column % Self.byteCount)
    let digit = Int32((index < 8 ? low : high) >> (index % 8 * 8) & 0xFF)
    return cpixels_proof_digit(byte, Int32(plane)) == digit
  }
}
