import CoreVideo
import PixelAccess

/// An image that is drawn before the first frame. Coordinates refer to the upright image. The bytes are stored as the held device
/// stores them, so rows can be copied into frames.
struct Canvas: Sendable {
  let rotation: PictureRotation
  let levels: PixelLevels
  /// The planes as stored, with rows without padding.
  private(set) var luma: Plane
  private(set) var chroma: Plane

  /// A plane of samples of one or two bytes.
  struct Plane: Sendable {
    /// The number of samples in a row, and the number of rows, as stored.
    let width: Int
    let height: Int
    let sampleBytes: Int
    fileprivate(set) var bytes: [UInt8]

    fileprivate init(_ size: (width: Int, height: Int), sampleBytes: Int) {
      (width, height, self.sampleBytes) = (size.width, size.height, sampleBytes)
      bytes = [UInt8](repeating: 0, count: width * height * sampleBytes)
    }

    /// Fills a part (in stored coordinates) with a sample.
    fileprivate mutating func fill(_ part: PixelRect, _ sample: [UInt8]) {
      let (rowBytes, count) = (width * sampleBytes, part.width * sampleBytes)
      let line = (0..<count).map { sample[$0 % sampleBytes] }
      let offsets = part.rows.map { $0 * rowBytes + part.x * sampleBytes }
      var bytes = bytes.mutableSpan
      for offset in offsets { bytes.copy(line.span, to: offset) }
    }
  }

  /// Creates a black image of an upright size.
  init(width: Int, height: Int, rotation: PictureRotation, levels: PixelLevels) {
    self.rotation = rotation
    self.levels = levels
    // Rotating a size twice restores it.
    luma = Plane(rotation.uprightSize(width: width, height: height), sampleBytes: 1)
    chroma = Plane(
      rotation.uprightSize(width: (width + 1) / 2, height: (height + 1) / 2), sampleBytes: 2)
    fill(PixelRect(x: 0, y: 0, width: width, height: height), levels.grey(0))
  }

  /// The size of the upright image.
  var size: (width: Int, height: Int) { rotation.uprightSize(width: luma.width, height: luma.height) }

  var byteCount: Int { luma.bytes.count + chroma.bytes.count }

  /// Fills the part of a rectangle that is within the image.
  mutating func fill(_ rect: PixelRect, _ sample: PixelLevels.Sample) {
    let (width, height) = size
    guard let rect = rect.common(with: PixelRect(x: 0, y: 0, width: width, height: height)) else { return }
    luma.fill(rotation.storedRect(rect, width: luma.width, height: luma.height), [sample.luma])
    chroma.fill(
      rotation.storedRect(rect.pairs, width: chroma.width, height: chroma.height), [sample.cb, sample.cr])
  }

  /// Copies a part of the image that is as large as an upright frame, into plane `index` of a buffer with the same rotation. All
  /// numbers must be even, or end at the edge of the frame.
  func copy(_ part: PixelRect, _ index: Int, of plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    let source = index == 0 ? luma : chroma
    let from = rotation.storedRect(
      index == 0 ? part : part.pairs, width: source.width, height: source.height)
    guard from.width > 0, from.height > 0 else { return }
    let (rowBytes, count) = (source.width * source.sampleBytes, from.width * source.sampleBytes)
    let first = from.y * rowBytes + from.x * source.sampleBytes
    plane.copyRows(
      from.height, of: source.bytes.span.extracting(first..<first + (from.height - 1) * rowBytes + count),
      every: rowBytes, to: 0, toEvery: shape.bytesPerRow,
      rowBytes: count)
  }
}

extension PixelRect {
  /// The chroma samples of a part of an image.
  var pairs: PixelRect {
    PixelRect(
      x: x / 2, y: y / 2, width: (x + width + 1) / 2 - x / 2, height: (y + height + 1) / 2 - y / 2)
  }

  /// Returns the intersection of two rectangles; `nil` if it is empty.
  func common(with other: PixelRect) -> PixelRect? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (
      min(x + width, other.x + other.width), min(y + height, other.y + other.height)
    )
    return right > left && bottom > top
      ? PixelRect(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}
