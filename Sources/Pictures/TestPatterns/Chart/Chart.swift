import CoreVideo
import PixelAccess

/// The geometry of ``TestPattern/chart``. The pattern stays readable after scaling and compression. It has corners in four
/// colours, a white line down the middle, and the frame number as sixteen black or white blocks.
enum Chart {
  /// The colours of the corners, in rows. Their chroma has every combination of signs, for any matrix.
  static let colours: [(Double, Double, Double)] = [
    (0.9, 0.1, 0.1), (0.1, 0.7, 0.1), (0, 0.3, 0.9), (0.9, 0.1, 0.9),
  ]
  /// The ranges of the corners and of the line, in 64ths of the width or height.
  static let corners = [0..<10, 54..<64]
  static let line = 31..<33
  /// The columns and rows of the blocks, in 64ths. Other rows are white only in the line.
  static let blockColumns = [4..<15, 16..<27, 37..<48, 49..<60]
  static let blockRows = [16..<24, 24..<32, 32..<40, 40..<48]

  /// Returns the blocks of a frame number: twelve bits, and four check bits.
  static func code(of frame: UInt64) -> UInt16 {
    let number = UInt16(frame & 0xFFF)
    return number | (number ^ number >> 4 ^ number >> 8 ^ 0b1001) << 12
  }

  /// Returns the number of a code; `nil` if its check bits are wrong.
  static func number(of code: UInt16) -> Int? {
    Self.code(of: UInt64(code)) == code ? Int(code & 0xFFF) : nil
  }

  /// Returns a part of an image, on even coordinates.
  static func rect(_ x: Range<Int>, _ y: Range<Int>, width: Int, height: Int) -> PixelRect {
    func pixels(_ part: Range<Int>, of length: Int) -> Range<Int> {
      (part.lowerBound * length / 64 & ~1)..<(part.upperBound * length / 64 & ~1)
    }
    let (columns, rows) = (pixels(x, of: width), pixels(y, of: height))
    return PixelRect(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// Returns the blocks of a frame in the upright image, and whether each is white.
  static func blocks(_ frame: UInt64, width: Int, height: Int) -> [(area: PixelRect, isLit: Bool)] {
    let code = code(of: frame)
    return (0..<16).map { index in
      (
        rect(blockColumns[index % 4], blockRows[index / 4], width: width, height: height),
        code >> index & 1 == 1
      )
    }
  }
}

extension StillBackground {
  /// Draws ``Chart`` without its number.
  static func chart(_ empty: Canvas) -> StillBackground {
    var picture = empty
    let ((width, height), levels) = (picture.size, picture.levels)
    picture.fill(PixelRect(x: 0, y: 0, width: width, height: height), levels.grey(0.35))
    picture.fill(Chart.rect(Chart.line, 0..<64, width: width, height: height), levels.grey(1))
    for (index, colour) in Chart.colours.enumerated() {
      let (x, y) = (Chart.corners[index % 2], Chart.corners[index / 2])
      picture.fill(
        Chart.rect(x, y, width: width, height: height), levels.sample(colour.0, colour.1, colour.2))
    }
    return StillBackground(picture: picture)
  }
}
