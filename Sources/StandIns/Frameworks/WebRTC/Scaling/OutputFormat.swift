import PixelAccess

/// The crop and the size of a frame for a request to ``RTCVideoSource/adaptOutputFormat(toWidth:height:fps:)``. The
/// rule is from libwebrtc's `media/base/video_adapter.cc` for a source that needs even sizes.
///
/// For a frame of `width × height`:
/// 1. The requested aspect ratio takes the orientation of the frame (portrait for a square frame). The largest part with
///    that ratio is kept.
/// 2. The part is scaled by the first fraction of the series 1, 3/4, 1/2, 3/8, 1/4, … with at most the requested number of
///    pixels. The series alternates between factors of 3/4 and 2/3. If three divides both sides of the part, 2/3 comes
///    first; if nine does, twice.
/// 3. The sides of the part become multiples of twice the fraction's denominator, so that the sides of the result are even
///    integers. They are rounded up, or down where the frame ends.
struct OutputFormat: Equatable, Sendable {
  /// The requested aspect ratio; `nil` to keep the frame's ratio.
  private var ratio: Ratio?
  /// The maximum number of pixels of a result. Zero or less drops all frames.
  private var maximumPixels = Int.max

  private struct Ratio: Equatable {
    var long: Int32
    var short: Int32
  }

  /// The sides must be multiples of two, because chroma has half the resolution.
  private static let alignment = 2

  /// Creates the format without a request: frames keep their size, made even.
  init() {}

  init(width: Int32, height: Int32) {
    if width > 0, height > 0 { ratio = Ratio(long: max(width, height), short: min(width, height)) }
    // libwebrtc's 32-bit product of impossible sizes is undefined. Here such sizes set no limit.
    maximumPixels = Int(width) * Int(height)
  }

  var dropsAll: Bool { maximumPixels <= 0 }

  struct Adaptation: Equatable {
    var crop: PixelRect
    var width: Int
    var height: Int
  }

  /// Returns the adaptation of a frame of this size; `nil` if no pixels are left.
  func adaptation(width: Int, height: Int) -> Adaptation? {
    guard !dropsAll else { return nil }
    var (partWidth, partHeight) = (width, height)
    if let ratio {
      // Floats, as in libwebrtc: because of rounding, the part can be a pixel too small.
      let aspect =
        width > height ? Float(ratio.long) / Float(ratio.short) : Float(ratio.short) / Float(ratio.long)
      partWidth = min(width, Int(Float(height) * aspect))
      partHeight = min(height, Int(Float(width) / aspect))
    }
    let scale = scale(width: partWidth, height: partHeight)
    let multiple = scale.denominator * Self.alignment
    partWidth = Self.round(partWidth, to: multiple, within: width)
    partHeight = Self.round(partHeight, to: multiple, within: height)
    guard partWidth > 0, partHeight > 0 else { return nil }
    return Adaptation(
      crop: PixelRect(
        x: (width - partWidth) / 2, y: (height - partHeight) / 2, width: partWidth, height: partHeight),
      width: partWidth / scale.denominator * scale.numerator,
      height: partHeight / scale.denominator * scale.numerator)
  }

  private func scale(width: Int, height: Int) -> (numerator: Int, denominator: Int) {
    var (numerator, denominator) = (1, 1)
    if width % 3 == 0, height % 3 == 0 { (numerator, denominator) = (6, 6) }
    if width % 9 == 0, height % 9 == 0 { (numerator, denominator) = (36, 36) }
    // Uses 128 bits, because the sides may be any 32-bit numbers.
    let pixels = Int128(width) * Int128(height)
    while Int128(numerator * numerator) * pixels / (Int128(denominator) * Int128(denominator)) > maximumPixels
    {
      if numerator % 3 == 0, denominator % 2 == 0 {
        numerator /= 3
        denominator /= 2
      } else {
        numerator *= 3
        denominator *= 4
      }
    }
    var (divisor, remainder) = (denominator, numerator)
    while remainder > 0 { (divisor, remainder) = (remainder, divisor % remainder) }
    return (numerator / divisor, denominator / divisor)
  }

  /// Returns the next multiple, or the last multiple within `limit`.
  private static func round(_ value: Int, to multiple: Int, within limit: Int) -> Int {
    let rounded = (value + multiple - 1) / multiple * multiple
    return rounded <= limit ? rounded : limit / multiple * multiple
  }
}
