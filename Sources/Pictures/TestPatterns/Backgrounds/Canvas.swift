import CoreVideo
import PixelAccess

/// A picture that is drawn before the first frame. Its parts are named in the upright picture, and its bytes lie as the
/// held device stores them, so that rows of it are copied into frames.
struct Canvas: Sendable {
  let rotation: PictureRotation
  let levels: PixelLevels
  /// The planes as stored, rows without padding.
  private(set) var luma: Plane
  private(set) var chroma: Plane

  /// A plane of samples of one or two bytes.
  struct Plane: Sendable {
    /// The samples of a row, and the rows, as stored.
    let width: Int
    let height: Int
    let sampleBytes: Int
    fileprivate(set) var bytes: [UInt8]

    fileprivate init(_ size: (width: Int, height: Int), sampleBytes: Int) {
      (width, height, self.sampleBytes) = (size.width, size.height, sampleBytes)
      bytes = [UInt8](repeating: 0, count: width * height * sampleBytes)
    }

    /// Fills a part, as stored, with a sample.
    fileprivate mutating func fill(_ part: PixelRect, _ sample: [UInt8]) {
      let (rowBytes, count) = (width * sampleBytes, part.width * sampleBytes)
      let line = (0..<count).map { sample[$0 % sampleBytes] }
      let offsets = part.rows.map { $0 * rowBytes + part.x * sampleBytes }
      var bytes = bytes.mutableSpan
      for offset in offsets { bytes.copy(line.span, to: offset) }
    }
  }

  /// Creates a black picture of an upright size.
  init(width: Int, height: Int, rotation: PictureRotation, levels: PixelLevels) {
    (self.rotation, self.levels) = (rotation, levels)
    // The turn of a size is its own inverse.
    luma = Plane(rotation.uprightSize(width: width, height: height), sampleBytes: 1)
    chroma = Plane(
      rotation.uprightSize(width: (width + 1) / 2, height: (height + 1) / 2), sampleBytes: 2)
    fill(PixelRect(x: 0, y: 0, width: width, height: height), levels.grey(0))
  }

  /// The upright size.
  var size: (width: Int, height: Int) { rotation.uprightSize(width: luma.width, height: luma.height) }

  var byteCount: Int { luma.bytes.count + chroma.bytes.count }

  /// Fills the common part of the picture and a rectangle.
  mutating func fill(_ rect: PixelRect, _ sample: PixelLevels.Sample) {
    let (width, height) = size
    guard let rect = rect.common(with: PixelRect(x: 0, y: 0, width: width, height: height)) else { return }
    luma.fill(rotation.storedRect(rect, width: luma.width, height: luma.height), [sample.luma])
    chroma.fill(
      rotation.storedRect(rect.pairs, width: chroma.width, height: chroma.height), [sample.cb, sample.cr])
  }

  /// Writes text, whose letters are capital, digits and some signs. A cell of a letter is a square of `scale` pixels.
  mutating func write(_ text: String, x: Int, y: Int, scale: Int, _ sample: PixelLevels.Sample) {
    for rect in GlyphFont.rects(of: text, x: x, y: y, scale: scale) { fill(rect, sample) }
  }

  /// The width of a text in pixels.
  static func width(of text: String, scale: Int) -> Int { (text.count * GlyphFont.advance - 1) * scale }

  /// Copies a part of the picture into plane `index` of a frame that is stored alike, to `x`, `y` of the upright frame. All
  /// numbers are even, or end at the edge of the frame.
  func copy(
    _ part: PixelRect, toX x: Int, y: Int, _ index: Int, of plane: inout MutableSpan<UInt8>,
    shape: PlaneShape
  ) {
    let source = index == 0 ? luma : chroma
    let target = PixelRect(x: x, y: y, width: part.width, height: part.height)
    let (from, to) = (
      rotation.storedRect(index == 0 ? part : part.pairs, width: source.width, height: source.height),
      rotation.storedRect(index == 0 ? target : target.pairs, width: shape.width, height: shape.height)
    )
    guard from.width > 0, from.height > 0 else { return }
    let (rowBytes, count) = (source.width * source.sampleBytes, from.width * source.sampleBytes)
    let first = from.y * rowBytes + from.x * source.sampleBytes
    plane.copyRows(
      from.height, of: source.bytes.span.extracting(first..<first + (from.height - 1) * rowBytes + count),
      every: rowBytes, to: to.y * shape.bytesPerRow + to.x * source.sampleBytes, toEvery: shape.bytesPerRow,
      rowBytes: count)
  }
}

extension PixelRect {
  /// The chroma samples of a part of a picture.
  var pairs: PixelRect {
    PixelRect(
      x: x / 2, y: y / 2, width: (x + width + 1) / 2 - x / 2, height: (y + height + 1) / 2 - y / 2)
  }

  /// The part that two rectangles share; `nil` without one.
  func common(with other: PixelRect) -> PixelRect? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (
      min(x + width, other.x + other.width), min(y + height, other.y + other.height)
    )
    return right > left && bottom > top
      ? PixelRect(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}
