import CoreVideo
import PixelAccess

/// Draws the app pattern: copies of images that were drawn before the first frame, and the typed letters.
struct AppBackground: BlackAndWhiteText {
  let levels: PixelLevels
  private let layout: AppLayout
  private let header: Canvas
  private let list: Canvas
  private let keyboard: Canvas

  init(width: Int, height: Int, rotation: PictureRotation, levels: PixelLevels) {
    let layout = AppLayout(width: width, height: height)
    func canvas(_ height: Int) -> Canvas {
      Canvas(width: width, height: height, rotation: rotation, levels: levels)
    }
    self.levels = levels
    self.layout = layout
    header = layout.header(on: canvas(layout.headerHeight))
    list = layout.list(on: canvas(layout.listLength))
    keyboard = layout.keyboard(on: canvas(layout.keyboardHeight))
  }

  var byteCount: Int { header.byteCount + list.byteCount + keyboard.byteCount }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    let scene = AppScene(at: time)
    let (width, height, top) = (layout.width, layout.height, layout.headerHeight)
    header.copy(
      PixelRect(x: 0, y: 0, width: width, height: top), toX: 0, y: 0, index, of: &plane, shape: shape)
    let visible = layout.visibleKeyboard(scene)
    let part = PixelRect(x: 0, y: layout.offset(scene), width: width, height: height - visible - top)
    list.copy(part, toX: 0, y: top, index, of: &plane, shape: shape)
    guard visible > 0 else { return }
    keyboard.copy(
      PixelRect(x: 0, y: 0, width: width, height: visible), toX: 0, y: height - visible, index, of: &plane,
      shape: shape)
    guard index == 0 else { return }
    let frame = PixelRect(x: 0, y: 0, width: width, height: height)
    for rect in layout.typed(scene) {
      guard let rect = rect.common(with: frame) else { continue }
      let area = keyboard.rotation.storedRect(rect, width: shape.width, height: shape.height)
      drawOverlay(lit: false, area, frame: 0, into: &plane, shape: shape)
    }
  }
}
