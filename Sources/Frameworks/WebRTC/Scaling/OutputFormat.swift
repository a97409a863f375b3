import PixelAccess

/// What ``RTCVideoSource/adaptOutputFormat(toWidth:height:fps:)`` asks for, and what it makes of a size.
///
/// The rule, for a frame of `width × height`:
/// 1. The requested size is turned to lie the way the frame does: a frame that is not wider than high gets
///    the upright one.
/// 2. The largest centred part of the requested aspect ratio is kept. Where that would take away less than
///    two pixels, one chroma sample, nothing is taken away. Otherwise the part's width, height, left and top
///    are even, unless just the odd size asked for is there.
/// 3. A part that is at least as large as requested both ways is scaled to exactly the requested size; a
///    smaller one keeps its size.
struct OutputFormat: Equatable, Sendable {
  private var longSide: Int
  private var shortSide: Int

  /// `nil` when the size asks for nothing: zero or less either way.
  init?(width: Int32, height: Int32) {
    guard width > 0, height > 0 else { return nil }
    longSide = Int(max(width, height))
    shortSide = Int(min(width, height))
  }

  /// What to do with a frame.
  struct Adaptation: Equatable {
    /// The part of the frame that is kept.
    var crop: PixelRect
    /// The size it gets.
    var width: Int
    var height: Int
  }

  /// What to do with a frame of this size; `nil` when it is right as it is.
  func adaptation(width: Int, height: Int) -> Adaptation? {
    let (wantedWidth, wantedHeight) = width > height ? (longSide, shortSide) : (shortSide, longSide)
    let crop = Self.crop(width: width, height: height, toAspect: wantedWidth, wantedHeight)
    let isScaled = crop.width >= wantedWidth && crop.height >= wantedHeight
    let adaptation = Adaptation(
      crop: crop, width: isScaled ? wantedWidth : crop.width, height: isScaled ? wantedHeight : crop.height)
    return adaptation.width == width && adaptation.height == height ? nil : adaptation
  }

  private static func crop(width: Int, height: Int, toAspect across: Int, _ down: Int) -> PixelRect {
    // Rounded up: what is taken away is then counted in whole pixels.
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

  /// The side of the part that spans the frame; one of just the size asked for may be odd.
  private static func keptSide(_ side: Int, wanted: Int) -> Int {
    side == wanted ? side : max(even(side), min(side, 2))
  }

  /// The side of the part, `numerator / denominator` of `whole` pixels, to the nearest even number.
  private static func croppedSide(
    _ numerator: Int, over denominator: Int, of whole: Int, wanted: Int
  ) -> Int {
    guard numerator / denominator != wanted else { return wanted }
    let nearest = (numerator + denominator) / (2 * denominator) * 2
    return max(min(nearest, even(whole)), min(whole, 2))
  }
}
