/// The sixteen bytes that a row of the `proof` pattern repeats: the number of a frame, a plane and a row.
///
/// | digits | content |
/// | --- | --- |
/// | 0…6 | frame number, bits 4…31, lowest digit first |
/// | 7 | 0 |
/// | 8…11 | row of the plane; the highest bit is set in the chroma plane |
/// | 12…15 | a checksum of the row field |
///
/// The lowest digit of the frame number is added to every digit, modulo 16: so each *single* byte differs from the byte at
/// its place in the fourteen frames before and after.
///
/// A luma byte is `64 + 4·digit`, 46 lower behind text and 97 higher in text; the two lowest bits distinguish the three. A
/// chroma byte is `112 + 2·digit`. All are legal in full and in video range.
struct ProofTag: Sendable, Equatable {
  /// Digits 0…7, one per byte, digit 0 in the lowest byte.
  var low: UInt64
  /// Digits 8…15.
  var high: UInt64

  static let byteCount = 16

  enum Level: UInt64, CaseIterable {
    case plain = 0x4040_4040_4040_4040
    case dark = 0x1212_1212_1212_1212
    case lit = 0xA1A1_A1A1_A1A1_A1A1
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let digitMask: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
  private static let chromaBase: UInt64 = 0x7070_7070_7070_7070

  /// Creates the tag of a row of plane 0 (luma) or 1 (chroma).
  init(frame: UInt32, plane: Int, row: Int) {
    let shift = UInt64(frame & 0xF) &* Self.ones
    low = (Self.spread(frame >> 4) &+ shift) & Self.digitMask
    high = (Self.spread(Self.rowField(plane: plane, row: row)) &+ shift) & Self.digitMask
  }

  /// The luma bytes of the tag, eight per word in memory order.
  @inline(__always)
  func luma(_ level: Level) -> (low: UInt64, high: UInt64) {
    let base = level.rawValue
    return (low << 2 &+ base, high << 2 &+ base)
  }

  /// The chroma bytes of the tag.
  @inline(__always)
  var chroma: (low: UInt64, high: UInt64) {
    (low << 1 &+ Self.chromaBase, high << 1 &+ Self.chromaBase)
  }

  /// Reads sixteen bytes of a plane; `nil` unless they are a whole tag of that plane.
  static func read(low: UInt64, high: UInt64, plane: Int) -> (frame: UInt32, row: Int)? {
    guard let low = digits(of: low, plane: plane), let high = digits(of: high, plane: plane) else {
      return nil
    }
    let unit = low >> 56
    let shift = unit &* ones
    // The added bit stops a borrow from the next byte.
    let frame = gather(((low | 0x1010_1010_1010_1010) &- shift) & digitMask) << 4 | UInt32(unit)
    let field = gather(((high | 0x1010_1010_1010_1010) &- shift) & digitMask)
    let row = Int(field & 0x7FFF)
    guard field == rowField(plane: plane, row: row) else { return nil }
    return (frame, row)
  }

  /// Returns whether `byte` is possible in `column` of a row of this tag.
  func allows(_ byte: UInt8, column: Int, plane: Int) -> Bool {
    let index = UInt64(column % Self.byteCount)
    let digit = UInt8(truncatingIfNeeded: (index < 8 ? low : high) >> (index % 8 * 8))
    return Self.digit(of: byte, plane: plane) == digit
  }

  /// Returns the digits of eight bytes of any levels, or `nil` when a byte is not a digit.
  private static func digits(of bytes: UInt64, plane: Int) -> UInt64? {
    var digits: UInt64 = 0
    for index in 0..<8 {
      let shift = UInt64(index * 8)
      guard let digit = digit(of: UInt8(truncatingIfNeeded: bytes >> shift), plane: plane) else { return nil }
      digits |= UInt64(digit) << shift
    }
    return digits
  }

  private static func digit(of byte: UInt8, plane: Int) -> UInt8? {
    if plane == 1 {
      return byte >= 112 && byte <= 142 && byte & 1 == 0 ? (byte - 112) >> 1 : nil
    }
    let base: UInt8
    switch byte & 3 {
    case 0: base = 64
    case 1: base = 161
    case 2: base = 18
    default: return nil
    }
    return byte >= base && byte - base <= 60 ? (byte - base) >> 2 : nil
  }

  /// Returns row and plane in the low half, and a checksum against chance matches in the high half.
  private static func rowField(plane: Int, row: Int) -> UInt32 {
    let field = UInt32(truncatingIfNeeded: row) & 0x7FFF | (plane == 0 ? 0 : 0x8000)
    let mixed = (field &+ 0x5A17) &* 0x9E37_79B1
    return field | (mixed >> 16 ^ mixed) << 16
  }

  /// Returns the eight digits of a number, one per byte.
  private static func spread(_ number: UInt32) -> UInt64 {
    var word = UInt64(number)
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    return (word | word << 4) & digitMask
  }

  /// The inverse of `spread`.
  private static func gather(_ digits: UInt64) -> UInt32 {
    var word = digits
    word = (word | word >> 4) & 0x00FF_00FF_00FF_00FF
    word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: word | word >> 16)
  }
}
