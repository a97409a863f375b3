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
  /// The sixteen bytes of a row.
  typealias Bytes = SIMD16<UInt8>

  /// Sixteen numbers of 0…15.
  let digits: Bytes

  static let byteCount = 16

  /// The brightness of luma: the byte of digit 0.
  enum Level: UInt8, CaseIterable {
    case plain = 64
    case dark = 18
    case lit = 161
  }

  /// Creates the tag of a row of plane 0 (luma) or 1 (chroma).
  init(frame: UInt32, plane: Int, row: Int) {
    let number = UInt64(Self.rowField(plane: plane, row: row)) << 32 | UInt64(frame >> 4)
    var digits = Bytes()
    for index in 0..<Self.byteCount { digits[index] = UInt8(truncatingIfNeeded: number >> UInt64(4 * index)) }
    self.digits = (digits &+ UInt8(truncatingIfNeeded: frame)) & 15
  }

  func luma(_ level: Level) -> Bytes { digits &<< 2 &+ level.rawValue }

  var chroma: Bytes { digits &<< 1 &+ 112 }

  /// Reads sixteen bytes of a plane; `nil` unless they are a whole tag of that plane.
  static func read(_ bytes: Bytes, plane: Int) -> (frame: UInt32, row: Int)? {
    var number: UInt64 = 0
    guard let unit = digit(of: bytes[7], plane: plane) else { return nil }
    for index in 0..<byteCount {
      guard let digit = digit(of: bytes[index], plane: plane) else { return nil }
      number |= UInt64((digit &- unit) & 15) << UInt64(4 * index)
    }
    let field = UInt32(truncatingIfNeeded: number >> 32)
    let row = Int(field & 0x7FFF)
    guard field == rowField(plane: plane, row: row) else { return nil }
    return (UInt32(truncatingIfNeeded: number) << 4 | UInt32(unit), row)
  }

  /// Returns whether `byte` is possible in `column` of a row of this tag.
  func allows(_ byte: UInt8, column: Int, plane: Int) -> Bool {
    Self.digit(of: byte, plane: plane) == digits[column % Self.byteCount]
  }

  private static func digit(of byte: UInt8, plane: Int) -> UInt8? {
    if plane == 1 {
      return byte >= 112 && byte <= 142 && byte & 1 == 0 ? (byte - 112) >> 1 : nil
    }
    guard let base = Level.allCases.first(where: { $0.rawValue & 3 == byte & 3 })?.rawValue else {
      return nil
    }
    return byte >= base && byte - base <= 60 ? (byte - base) >> 2 : nil
  }

  /// Returns row and plane in the low half, and a checksum against chance matches in the high half.
  private static func rowField(plane: Int, row: Int) -> UInt32 {
    let field = UInt32(truncatingIfNeeded: row) & 0x7FFF | (plane == 0 ? 0 : 0x8000)
    let mixed = (field &+ 0x5A17) &* 0x9E37_79B1
    return field | (mixed >> 16 ^ mixed) << 16
  }
}
