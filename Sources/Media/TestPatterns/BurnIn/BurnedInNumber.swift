import CoreVideo
import PixelAccess

/// Reads the frame number that a ``PatternPainter`` burned into a picture.
public enum BurnedInNumber {
  /// The digits of the frame number: eight, fewer on pictures narrower than 50 pixels.
  ///
  /// `nil` when there is no readable number where one belongs. The picture must have the size it was painted
  /// in, and may have passed through a lossy coder: a cell of the font is read at its middle.
  public static func read(_ pixelBuffer: CVPixelBuffer) -> UInt64? {
    let shape = pixelBuffer.planeShape(0)
    guard pixelBuffer.planeCount == 2, PatternPainter.dimensions.contains(shape.width),
      PatternPainter.dimensions.contains(shape.height)
    else { return nil }
    let line = BurnIn(width: shape.width, height: shape.height).number
    return pixelBuffer.readPlane(0) { bytes, shape -> UInt64? in
      var number: UInt64 = 0
      for index in 0..<line.glyphCount {
        let left = line.x + index * GlyphFont.advance * line.scale + line.scale / 2
        var rows: [UInt8] = []
        for row in 0..<GlyphFont.height {
          let start = (line.y + row * line.scale + line.scale / 2) * shape.bytesPerRow + left
          rows.append(
            (0..<GlyphFont.width).reduce(0) { bits, cell in
              bits << 1 | (bytes[start + cell * line.scale] >= 128 ? 1 : 0)
            })
        }
        guard let digit = (UInt8(0)..<10).first(where: { GlyphFont.rows(of: $0) == rows }) else { return nil }
        number = number * 10 + UInt64(digit)
      }
      return number
    }
  }
}
