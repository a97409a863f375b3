import CoreVideo
import PixelAccess

/// The geometry of the burned-in text and the moving mark of a frame.
///
/// It depends only on the size of the upright frame. If a frame is too small, the time code is omitted first, and then leading
/// digits of the frame number.
struct BurnIn: Sendable {
  /// A line of text: the position of its first glyph, the number of glyphs, and the size of a font cell in pixels.
  struct Line: Sendable, Equatable {
    var x: Int
    var y: Int
    var glyphCount: Int
    var scale: Int

    var width: Int { (glyphCount * GlyphFont.advance - 1) * scale }
    var height: Int { GlyphFont.height * scale }
  }

  /// The dark box behind the text. It has even coordinates, so it shares no chroma sample with its surroundings.
  let box: PixelRect
  /// The last `glyphCount` digits of the frame number.
  let number: Line
  /// The time code, `HH:MM:SS:FF`; `nil` if it does not fit.
  let timeCode: Line?
  /// The dark strip of the mark, from edge to edge. It starts on even coordinates.
  let track: PixelRect

  private static let numberGlyphs = 8
  private static let timeCodeGlyphs = 11

  /// Creates the geometry of a frame of at least 16 × 16 pixels.
  init(width: Int, height: Int) {
    func even(_ value: Int) -> Int { value & ~1 }
    // Returns the cell size at which `glyphs` glyphs take about three fifths of the width, and at most 1 / `share` of the height.
    func scale(glyphs: Int, share: Int) -> Int {
      max(1, min(width * 3 / 5 / (glyphs * GlyphFont.advance), height / share / GlyphFont.height))
    }
    let glyphs = min(Self.numberGlyphs, (width - 1) / GlyphFont.advance)
    var number = Line(x: 0, y: 0, glyphCount: glyphs, scale: scale(glyphs: glyphs, share: 7))
    var timeCode = Line(
      x: 0, y: 0, glyphCount: Self.timeCodeGlyphs, scale: scale(glyphs: Self.timeCodeGlyphs, share: 10))
    let padding = max(1, number.scale * 2)
    let fits =
      timeCode.width + 2 * padding <= width
      && number.height + timeCode.height + 3 * padding <= height * 2 / 3

    let contentWidth = fits ? max(number.width, timeCode.width) : number.width
    let contentHeight = fits ? number.height + padding + timeCode.height : number.height
    let boxWidth = min(even(width), even(contentWidth + 2 * padding + 1))
    let boxHeight = min(even(height), even(contentHeight + 2 * padding + 1))
    let box = PixelRect(
      x: even((width - boxWidth) / 2), y: even((height - boxHeight) / 5), width: boxWidth, height: boxHeight)
    number.x = box.x + (boxWidth - number.width) / 2
    number.y = box.y + (boxHeight - contentHeight) / 2
    timeCode.x = box.x + (boxWidth - timeCode.width) / 2
    timeCode.y = number.y + number.height + padding
    self.box = box
    self.number = number
    self.timeCode = fits ? timeCode : nil

    let trackHeight = max(2, even(height / 36))
    track = PixelRect(
      x: 0, y: even(height - trackHeight - height / 24), width: width, height: trackHeight)
  }

  /// Returns the mark of a frame. The mark moves along the track and back.
  func mark(frame: UInt64) -> PixelRect {
    let inset = track.height >= 8 ? track.height / 8 * 2 : 0
    let size = track.height - inset
    let length = min(track.width / 2, size * 2)
    let step = max(2, track.width / 90)
    let reach = track.width - length
    let phase = Int(frame % UInt64(reach * 2)) * step % (reach * 2)
    let x = phase < reach ? phase : reach * 2 - phase
    return PixelRect(x: track.x + x, y: track.y + inset / 2, width: length, height: size)
  }

  /// Returns the bright rectangles of both lines of text.
  func litRects(frame: UInt64, framesPerSecond: Int) -> [PixelRect] {
    var result = Self.litRects(of: number, codes: Self.digits(of: frame, count: number.glyphCount))
    if let timeCode {
      result += Self.litRects(
        of: timeCode, codes: Self.timeCode(of: frame, framesPerSecond: framesPerSecond))
    }
    return result
  }

  static let colonCode: UInt8 = 10

  /// Returns the last `count` decimal digits of `value`, with leading zeros.
  static func digits(of value: UInt64, count: Int) -> [UInt8] {
    var rest = value
    var digits = [UInt8](repeating: 0, count: count)
    for index in digits.indices.reversed() {
      digits[index] = UInt8(rest % 10)
      rest /= 10
    }
    return digits
  }

  /// Returns `HH:MM:SS:FF`, each field with its last two digits.
  static func timeCode(of frame: UInt64, framesPerSecond: Int) -> [UInt8] {
    let rate = UInt64(framesPerSecond)
    let seconds = frame / rate
    let fields = [seconds / 3600, seconds / 60 % 60, seconds % 60, frame % rate]
    return Array(fields.map { digits(of: $0, count: 2) }.joined(separator: [colonCode]))
  }

  private static func litRects(of line: Line, codes: [UInt8]) -> [PixelRect] {
    GlyphFont.rects(of: codes.map(GlyphFont.rows), x: line.x, y: line.y, scale: line.scale)
  }
}
