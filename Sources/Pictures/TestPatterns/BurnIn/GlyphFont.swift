import CoreVideo

/// A bitmap font with cells 5 wide and 7 high: bold digits and a colon for the burned-in text, and letters.
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

  /// Returns the rectangles of a string of capital letters and digits. Other characters are blank.
  static func rects(of text: String, x: Int, y: Int, scale: Int) -> [PixelRect] {
    let glyphs = text.map { letter in
      letters[letter] ?? letter.wholeNumberValue.map { rows(of: UInt8($0)) } ?? []
    }
    return rects(of: glyphs, x: x, y: y, scale: scale)
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

  private static let letters: [Character: [UInt8]] = [
    "A": [0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11], "B": [0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E],
    "C": [0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E], "D": [0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E],
    "E": [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F], "F": [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10],
    "G": [0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0E], "H": [0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11],
    "I": [0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E], "J": [0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0C],
    "K": [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11], "L": [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F],
    "M": [0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11], "N": [0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11],
    "O": [0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E], "P": [0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10],
    "Q": [0x0E, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0D], "R": [0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11],
    "S": [0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E], "T": [0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04],
    "U": [0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E], "V": [0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04],
    "W": [0x11, 0x11, 0x11, 0x15, 0x15, 0x1B, 0x11], "X": [0x11, 0x11, 0x0A, 0x04, 0x0A, 0x11, 0x11],
    "Y": [0x11, 0x11, 0x0A, 0x04, 0x04, 0x04, 0x04], "Z": [0x1F, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1F],
  ]
}
