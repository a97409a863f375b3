/// A rectangle of pixels.
struct PixelRect: Sendable, Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var columns: Range<Int> { x..<x + width }
  var rows: Range<Int> { y..<y + height }
}
