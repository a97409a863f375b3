import CoreVideo
import PixelAccess

/// Reads the frame number that a test pattern has burned into a picture, also after the picture was encoded or scaled.
///
/// ```swift
/// let reader = BurnInReader(screen: (width: 640, height: 480))
/// let number = reader.number(in: decodedPicture)
/// ```
///
/// The time code must agree with the number at some frame rate. So a picture without a test pattern has no number, and a
/// digit that was damaged does not give another number.
package struct BurnInReader: Sendable {
  private let width: Int
  private let lines: (number: BurnIn.Line, timeCode: BurnIn.Line)?

  /// Creates a reader for pictures of a screen of this size, or of copies with other sizes and the same proportions.
  package init(screen: (width: Int, height: Int)) {
    width = screen.width
    lines =
      PatternPainter.dimensions.contains(screen.width) && PatternPainter.dimensions.contains(screen.height)
      ? Self.lines(of: BurnIn(width: screen.width, height: screen.height)) : nil
  }

  private static func lines(of burnIn: BurnIn) -> (number: BurnIn.Line, timeCode: BurnIn.Line)? {
    burnIn.timeCode.map { (burnIn.number, $0) }
  }

  /// Returns the last eight digits of the frame number; `nil` for a picture without it, or in which it is too small or too
  /// coarse.
  package func number(in picture: CVPixelBuffer) -> UInt64? {
    guard let lines else { return nil }
    let scale = Double(CVPixelBufferGetWidth(picture)) / Double(width)
    return picture.readPlane(0) { luma, shape in
      guard let number = Self.levels(of: lines.number, in: luma, shape, scale: scale),
        let timeCode = Self.levels(of: lines.timeCode, in: luma, shape, scale: scale)
      else { return nil }
      let levels = (number + timeCode).joined()
      guard let low = levels.min(), let high = levels.max(), high - low > Self.leastContrast else {
        return nil
      }
      func codes(_ line: [[Double]]) -> [UInt8]? {
        let codes = line.compactMap { Self.nearestCode(to: $0, threshold: (low + high) / 2) }
        return codes.count == line.count ? codes : nil
      }
      guard let digits = codes(number), let timeCode = codes(timeCode) else { return nil }
      return Self.number(digits, timeCode)
    }
  }

  /// The least difference between text and its box: without it there is no text.
  private static let leastContrast = 60.0
  /// The number of cells of a glyph that may differ.
  private static let mostDifferences = 4

  /// The code of the glyph that differs least from `levels`; `nil` if two differ as little, or if none is near.
  private static func nearestCode(to levels: [Double], threshold: Double) -> UInt8? {
    let differences = (0...BurnIn.colonCode).map { code in
      GlyphFont.rows(of: code).enumerated().reduce(0) { sum, row in
        sum
          + (0..<GlyphFont.width).count { cell in
            let isLit = row.element & (0b10000 >> UInt8(cell)) != 0
            return (levels[row.offset * GlyphFont.width + cell] > threshold) != isLit
          }
      }
    }
    guard let least = differences.min(), least <= mostDifferences,
      let code = differences.firstIndex(of: least), differences.lastIndex(of: least) == code
    else { return nil }
    return UInt8(code)
  }

  /// The number of `digits` if the time code is that of this frame at some frame rate.
  private static func number(_ digits: [UInt8], _ timeCode: [UInt8]) -> UInt64? {
    guard !digits.contains(BurnIn.colonCode) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + UInt64($1) }
    let hasTimeCode = (1...1000).contains { rate in
      BurnIn.timeCode(of: number, framesPerSecond: rate) == timeCode
    }
    return hasTimeCode ? number : nil
  }

  /// The brightness of the cells of each glyph; `nil` if the picture does not contain the line.
  private static func levels(
    of line: BurnIn.Line, in luma: Span<UInt8>, _ shape: PlaneShape, scale: Double
  ) -> [[Double]]? {
    let (x, y, cell) = (Double(line.x) * scale, Double(line.y) * scale, Double(line.scale) * scale)
    guard Double(shape.height) >= y + Double(GlyphFont.height) * cell else { return nil }
    // In a large cell the mean of nine pixels.
    let step = cell >= 5 ? Int((cell / 5).rounded()) : 0
    let offsets = step == 0 ? [0] : [-step, 0, step]
    var glyphs: [[Double]] = []
    for index in 0..<line.glyphCount {
      var levels: [Double] = []
      for row in 0..<GlyphFont.height {
        for column in 0..<GlyphFont.width {
          let left = Int(x + (Double(index * GlyphFont.advance + column) + 0.5) * cell)
          let top = Int(y + (Double(row) + 0.5) * cell)
          var sum = 0
          for down in offsets {
            for right in offsets {
              let row = min(max(top + down, 0), shape.height - 1)
              sum += Int(luma[row * shape.bytesPerRow + min(max(left + right, 0), shape.width - 1)])
            }
          }
          levels.append(Double(sum) / Double(offsets.count * offsets.count))
        }
      }
      glyphs.append(levels)
    }
    return glyphs
  }
}
