/// The bitmap font of the burned-in text: digits and the colon, 5 cells wide and 7 high.
enum GlyphFont {
  static let width = 5
  static let height = 7
  /// The cells from one glyph to the next.
  static let advance = 6

  /// Returns the seven rows of a digit 0…9, or of the colon for any other code. The highest of the 5 bits is on the left.
  static func rows(of code: UInt8) -> [UInt8] {
    code < digits.count ? digits[Int(code)] : colon
  }

  private static let colon: [UInt8] = [
    0b00000, 0b00110, 0b00110, 0b00000, 0b00110, 0b00110, 0b00000,
  ]

  private static let digits: [[UInt8]] = [
    [0b01110, 0b11011, 0b11011, 0b11011, 0b11011, 0b11011, 0b01110],
    [0b00110, 0b01110, 0b11110, 0b00110, 0b00110, 0b00110, 0b11111],
    [0b11110, 0b00011, 0b00011, 0b01110, 0b11000, 0b11000, 0b11111],
    [0b11110, 0b00011, 0b00011, 0b01110, 0b00011, 0b00011, 0b11110],
    [0b11011, 0b11011, 0b11011, 0b11111, 0b00011, 0b00011, 0b00011],
    [0b11111, 0b11000, 0b11000, 0b11110, 0b00011, 0b00011, 0b11110],
    [0b01110, 0b11000, 0b11000, 0b11110, 0b11011, 0b11011, 0b01110],
    [0b11111, 0b00011, 0b00011, 0b00110, 0b00110, 0b01100, 0b01100],
    [0b01110, 0b11011, 0b11011, 0b01110, 0b11011, 0b11011, 0b01110],
    [0b01110, 0b11011, 0b11011, 0b01111, 0b00011, 0b00011, 0b01110],
  ]
}
