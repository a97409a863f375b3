import CoreVideo
import PixelAccess

/// The layout and look of the drawn app's parts in an upright frame.
struct AppLayout: Sendable {
  let width: Int
  let height: Int
  /// The size of a cell of a small letter, in pixels.
  private let cell: Int
  private let rowHeight: Int
  let headerHeight: Int
  let listLength: Int
  let keyboardHeight: Int

  private static let names = ["ANNA", "BEN", "CARLA", "DAVID", "EMMA", "FRANK", "GRETA", "HUGO", "IDA"]
  private static let messages = [
    "THE TRAIN IS LATE", "WHERE ARE YOU", "PHOTOS OF THE LAKE", "CALL ME BACK", "DINNER AT 7",
    "TWO TICKETS LEFT", "GOOD NIGHT",
  ]
  private static let keys = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"]

  init(width: Int, height: Int) {
    func even(_ value: Int) -> Int { value & ~1 }
    self.width = width
    self.height = height
    cell = max(1, min(width, height) / 220)
    headerHeight = max(2, even(height / 12))
    rowHeight = max(8, even(min(width, height) / 8))
    listLength = (2 * height / rowHeight + 1) * rowHeight
    let keyboard = height > width ? height * 2 / 5 : height / 2
    // The part above the keyboard begins and ends on even rows.
    keyboardHeight = height - even(height - keyboard)
  }

  /// Returns the first visible row of the list (even).
  func offset(_ scene: AppScene) -> Int {
    Int(scene.scroll * Double(listLength - height + headerHeight)) & ~1
  }

  /// Returns the number of visible rows of the keyboard, such that it begins on an even row.
  func visibleKeyboard(_ scene: AppScene) -> Int {
    let rows = Int((scene.keyboard * Double(keyboardHeight)).rounded())
    return rows == 0 ? 0 : height - (height - rows) & ~1
  }

  /// Returns the rectangles of the letters in the text field.
  func typed(_ scene: AppScene) -> [PixelRect] {
    let text = String(AppScene.text.prefix(scene.typed))
    return GlyphFont.rects(
      of: text, x: rowHeight / 2, y: height - visibleKeyboard(scene) + fieldTextTop, scale: cell)
  }

  private var fieldTextTop: Int { (rowHeight - GlyphFont.height * cell) / 2 }

  func header(on canvas: Canvas) -> Canvas {
    var picture = canvas
    let levels = canvas.levels
    let title = "MESSAGES"
    let scale = max(1, min(cell * 2, headerHeight / 14))
    picture.fill(PixelRect(x: 0, y: 0, width: width, height: headerHeight), levels.grey(0.95))
    picture.fill(PixelRect(x: 0, y: headerHeight - 2, width: width, height: 2), levels.grey(0.75))
    picture.write(
      title, x: (width - Canvas.width(of: title, scale: scale)) / 2,
      y: headerHeight - 10 * scale, scale: scale, levels.grey(0.1))
    return picture
  }

  func list(on canvas: Canvas) -> Canvas {
    var picture = canvas
    let levels = canvas.levels
    picture.fill(PixelRect(x: 0, y: 0, width: width, height: listLength), levels.grey(1))
    let colours: [(Double, Double, Double)] = [
      (0.90, 0.30, 0.25), (0.20, 0.55, 0.90), (0.25, 0.65, 0.35), (0.95, 0.60, 0.15), (0.55, 0.35, 0.80),
    ]
    for row in 0..<listLength / rowHeight {
      let top = row * rowHeight
      let (radius, centre) = (rowHeight * 3 / 8, rowHeight / 2)
      let colour = colours[row % colours.count]
      let sample = levels.sample(colour.0, colour.1, colour.2)
      for y in stride(from: -radius, to: radius, by: 2) {
        let half = Int(Double(radius * radius - (y + 1) * (y + 1)).squareRoot())
        picture.fill(PixelRect(x: centre - half, y: top + centre + y, width: 2 * half, height: 2), sample)
      }
      let name = Self.names[row % Self.names.count]
      picture.write(
        String(name.prefix(1)), x: centre - 5 * cell, y: top + centre - 7 * cell, scale: 2 * cell,
        levels.grey(1))
      let left = rowHeight + 4 * cell
      picture.write(name, x: left, y: top + centre - 9 * cell, scale: cell, levels.grey(0.05))
      picture.write(
        Self.messages[row % Self.messages.count], x: left, y: top + centre + 2 * cell, scale: cell,
        levels.grey(0.5))
      picture.fill(PixelRect(x: left, y: top + rowHeight - 2, width: width, height: 2), levels.grey(0.85))
    }
    return picture
  }

  func keyboard(on canvas: Canvas) -> Canvas {
    var picture = canvas
    let levels = canvas.levels
    picture.fill(PixelRect(x: 0, y: 0, width: width, height: keyboardHeight), levels.grey(0.82))
    picture.fill(PixelRect(x: 0, y: 0, width: width, height: rowHeight), levels.grey(0.9))
    let inset = 2 * cell
    picture.fill(
      PixelRect(
        x: rowHeight / 4, y: inset, width: width - rowHeight / 2, height: max(0, rowHeight - 2 * inset)),
      levels.grey(1))
    let (keyWidth, keyHeight) = (width / 10, (keyboardHeight - rowHeight) / 4)
    for (row, letters) in Self.keys.enumerated() {
      let top = rowHeight + row * keyHeight
      for (column, letter) in letters.enumerated() {
        let left = (width - letters.count * keyWidth) / 2 + column * keyWidth
        picture.fill(
          PixelRect(
            x: left + inset, y: top + inset, width: keyWidth - 2 * inset, height: keyHeight - 2 * inset),
          levels.grey(1))
        picture.write(
          String(letter), x: left + (keyWidth - 5 * cell) / 2, y: top + (keyHeight - 7 * cell) / 2,
          scale: cell, levels.grey(0.05))
      }
    }
    picture.fill(
      PixelRect(
        x: width / 4, y: rowHeight + 3 * keyHeight + inset, width: width / 2, height: keyHeight - 2 * inset),
      levels.grey(1))
    return picture
  }
}
