/// The size that ``RTCVideoSource/adaptOutputFormat(toWidth:height:fps:)`` requests.
///
/// The rule, for a frame of `width × height`:
/// 1. The requested size takes the orientation of the frame; a square frame gets the portrait one.
/// 2. The largest centred part of the requested aspect ratio is kept. A crop of less than two pixels, one chroma sample,
///    is not made. Otherwise width, height, left and top of the part are even, unless the part has exactly the odd
///    size that was requested.
/// 3. A part that is at least as large as requested in both directions is scaled to exactly the requested size; a smaller
///    one keeps its size.
struct OutputFormat: Equatable, Sendable {
  private var longSide: Int
  private var shortSide: Int

  /// Returns `nil` for a width or height of zero or less, which requests nothing.
  init?(width: Int32, height: Int32) {
    guard width > 0, height > 0 else { return nil }
    longSide = Int(max(width, height))
    shortSide = Int(min(width, height))
  }

  /// The crop and the size of a frame.
  struct Adaptation: Equatable {
    var crop: PixelRect
    var width: Int
    var height: Int
  }

  /// Returns the adaptation of a frame of this size, or `nil` when it needs none.
  func adaptation(width: Int, height: Int) -> Adaptation? {
    let (wantedWidth, wantedHeight) = width > height ? (longSide, shortSide) : (shortSide, longSide)
    let crop = Self.crop(width: width, height: height, toAspect: wantedWidth, wantedHeight)
    let isScaled = crop.width >= wantedWidth && crop.height >= wantedHeight
    let adaptation = Adaptation(
      crop: crop, width: isScaled ? wantedWidth : crop.width, height: isScaled ? wantedHeight : crop.height)
    return adaptation.width == width && adaptation.height == height ? nil : adaptation
  }

  private static func crop(width: Int, height: Int, toAspect across: Int, _ down: Int) -> PixelRect {
    // Rounded up, so that the cropped pixels are whole.
    let wantedWidth = min(width, (height * across + down - 1) / down)
    let wantedHeight = min(height, (width * down + across - 1) / across)
    guard width - wantedWidth >= 2 || height - wantedHeight >= 2 else {
      return PixelRect(x: 0, y: 0, width: width, height: height)
    }
    let size: (width: Int, height: Int)
    if wantedWidth == width {
      let kept = keptSide(width, wanted: across)
      size = (kept, croppedSide(kept * down, over: across, of: height, wanted: down))
    } else {
      let kept = keptSide(height, wanted: down)
      size = (croppedSide(kept * across, over: down, of: width, wanted: across), kept)
    }
    return PixelRect(
      x: even((width - size.width) / 2), y: even((height - size.height) / 2), width: size.width,
      height: size.height)
  }

  private static func even(_ value: Int) -> Int { value & ~1 }

  /// The side of the part that spans the frame: even, unless it is the requested one.
  private static func keptSide(_ side: Int, wanted: Int) -> Int {
    side == wanted ? side : max(even(side), min(side, 2))
  }

  /// The side of the part that is cropped, `numerator / denominator` of `whole` pixels, as the nearest even number.
  private static func croppedSide(
    _ numerator: Int, over denominator: Int, of whole: Int, wanted: Int
  ) -> Int {
    guard numerator / denominator != wanted else { return wanted }
    let nearest = (numerator + denominator) / (2 * denominator) * 2
    return max(min(nearest, even(whole)), min(whole, 2))
  }
}
