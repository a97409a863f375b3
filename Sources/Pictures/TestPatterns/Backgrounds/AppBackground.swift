import CoreVideo
import Foundation
import PixelAccess

/// Draws the app pattern: a part of a list that was drawn before the first frame. The list scrolls down and stops, and scrolls
/// back. This takes twelve seconds and repeats.
struct AppBackground: BlackAndWhiteText {
  private let list: Canvas
  private let height: Int

  init(width: Int, height: Int, rotation: PictureRotation, levels: PixelLevels) {
    self.height = height
    let (rowHeight, scale) = (max(8, min(width, height) / 8 & ~1), max(1, min(width, height) / 110))
    let rowCount = 2 * height / rowHeight + 1
    var list = Canvas(width: width, height: rowCount * rowHeight, rotation: rotation, levels: levels)
    list.fill(PixelRect(x: 0, y: 0, width: width, height: rowCount * rowHeight), levels.grey(1))
    for row in 0..<rowCount {
      let (top, size, shade) = (row * rowHeight, rowHeight / 2 & ~1, Double(row % 5) / 5)
      list.fill(
        PixelRect(x: size / 2, y: top + size / 2, width: size, height: size),
        levels.sample(shade, 0.5, 1 - shade))
      let number = BurnIn.digits(of: UInt64(row + 1) * 7919, count: 6).map(GlyphFont.rows)
      let textTop = top + (rowHeight - GlyphFont.height * scale) / 2
      for rect in GlyphFont.rects(of: number, x: rowHeight, y: textTop, scale: scale) {
        list.fill(rect, levels.grey(0.05))
      }
      list.fill(
        PixelRect(x: rowHeight, y: top + rowHeight - 2, width: width, height: 2), levels.grey(0.85))
    }
    self.list = list
  }

  var levels: PixelLevels { list.levels }
  var byteCount: Int { list.byteCount }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    let (width, length) = list.size
    let offset = Int(Self.position(at: time) * Double(length - height)) & ~1
    list.copy(PixelRect(x: 0, y: offset, width: width, height: height), index, of: &plane, shape: shape)
  }

  /// Returns how far the list has been scrolled (0 to 1) at a time since the first frame.
  static func position(at time: Duration) -> Double {
    let seconds = max(0, time / .seconds(1)).truncatingRemainder(dividingBy: 12)
    /// A motion from 0 to 1 that slows down and ends.
    func motion(from start: Double) -> Double { 1 - pow(1 - min(max((seconds - start) / 1.6, 0), 1), 3) }
    return motion(from: 0) - motion(from: 8)
  }
}
