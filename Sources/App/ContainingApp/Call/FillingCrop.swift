import CoreVideo
import PixelAccess
import WebRTC

/// Crops and scales frames so that they fill a size exactly. The app does this before WebRTC's source, which would scale by
/// a fraction.
///
/// The rule for a frame of `width × height`:
/// 1. The size takes the orientation of the frame; a square frame gets the portrait size.
/// 2. The largest centred part with the aspect ratio of the size is kept. A crop of less than two pixels (one chroma
/// sample) is skipped. Otherwise width, height, left and top of the part are even, unless the part has exactly the odd
/// size.
/// 3. A part that is at least as large as the size in both directions is scaled to it; a smaller part keeps its size.
struct FillingCrop: Sendable {
  private let longSide: Int
  private let shortSide: Int

  /// Both sides must be positive. They are limited to 2^31 - 1, so that their products with the sides of a frame do not
  /// overflow.
  init(width: Int, height: Int) {
    let (width, height) = (Int(Int32(clamping: width)), Int(Int32(clamping: height)))
    (longSide, shortSide) = (max(width, height), min(width, height))
  }

  /// Returns the part of a frame with its target size. No pixels are copied: the source crops and scales only the frames
  /// that it keeps.
  func part(of picture: CVPixelBuffer) -> RTCCVPixelBuffer {
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    let (crop, size) = part(ofWidth: width, height: height)
    // Core Video's limit of 16,384 pixels keeps sizes within 32 bits.
    return RTCCVPixelBuffer(
      pixelBuffer: picture, adaptedWidth: Int32(size.width), adaptedHeight: Int32(size.height),
      cropWidth: Int32(crop.width), cropHeight: Int32(crop.height), cropX: Int32(crop.x),
      cropY: Int32(crop.y))
  }

  /// Returns the part of a frame, and the size that it is scaled to.
  func part(ofWidth width: Int, height: Int) -> (crop: PixelRect, size: (width: Int, height: Int)) {
    let wanted =
      width > height ? (width: longSide, height: shortSide) : (width: shortSide, height: longSide)
    let crop = Self.crop(width: width, height: height, toAspect: wanted.width, wanted.height)
    let isScaled = crop.width >= wanted.width && crop.height >= wanted.height
    return (crop, isScaled ? wanted : (crop.width, crop.height))
  }

  private static func crop(width: Int, height: Int, toAspect across: Int, _ down: Int) -> PixelRect {
    // Round up, so that no cropped pixel is divided.
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

  /// Returns the side of the part that spans the frame: even, unless it is the wanted side.
  private static func keptSide(_ side: Int, wanted: Int) -> Int {
    side == wanted ? side : max(even(side), min(side, 2))
  }

  /// Returns the side of the cropped part, `numerator / denominator` of `whole` pixels, as the nearest even number.
  private static func croppedSide(
    _ numerator: Int, over denominator: Int, of whole: Int, wanted: Int
  ) -> Int {
    guard numerator / denominator != wanted else { return wanted }
    let nearest = (numerator + denominator) / (2 * denominator) * 2
    return max(min(nearest, even(whole)), min(whole, 2))
  }
}
