import CoreVideo

/// A bitmap font with cells 5 wide and 7 high: bold digits and a colon.
enum GlyphFont {
  static let width = 5
  static let height = 7
  /// The number of cells from one glyph to the next.
  static let advance = 6

  /// Returns the seven rows of a digit (0…9), or of the colon for any other code. The most significant of the 5 bits is on the
  /// left.
  static func rows(of code: UInt8) -> [UInt8] {
    code < digits.count ? digits[Int(code)] : colon
  }

  /// Returns the rectangles of the lit cells of glyphs, given as rows. A cell is a square of `scale` pixels.
  static func rects(of glyphs: [[UInt8]], x: Int, y: Int, scale: Int) -> [PixelRect] {
    var result: [PixelRect] = []
    for (index, rows) in glyphs.enumerated() {
      for (row, bits) in rows.enumerated() {
        let y = y + row * scale
        for cell in 0..<width where bits & (0b10000 >> UInt8(cell)) != 0 {
          let x = x + (index * advance + cell) * scale
          if let last = result.last, last.y == y, last.x + last.width == x {
            result[result.count - 1].width += scale
          } else {
            result.append(PixelRect(x: x, y: y, width: scale, height: scale))
          }
        }
      }
    }
    return result
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
