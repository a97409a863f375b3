// Models the layouts of pixels in CoreGraphics/CGImage.h.

/// Whether and where a pixel has alpha.
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// No alpha: red, green, blue.
  case none
  /// Red, green, blue, alpha; the colours multiplied by it.
  case premultipliedLast
  /// Alpha, red, green, blue; the colours multiplied by it.
  case premultipliedFirst
  /// Red, green, blue, alpha.
  case last
  /// Alpha, red, green, blue.
  case first
  /// Red, green, blue, and a byte without meaning.
  case noneSkipLast
  /// A byte without meaning, red, green, blue.
  case noneSkipFirst
  /// Alpha alone.
  case alphaOnly
}

/// The layout of pixels, as bits.
public struct CGBitmapInfo: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Creates a layout from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The bits of a ``CGImageAlphaInfo``.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  /// Whether the components are floating-point numbers.
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  /// The bits of the order of bytes.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// Pairs of bytes, the last one first.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  /// Four bytes, the last one first: blue, green, red for alpha that is first.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  /// Pairs of bytes in their order.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  /// Four bytes in their order.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
  /// The default order.
  public static let byteOrderDefault: CGBitmapInfo = []

  /// Where the bytes of alpha, red, green and blue are in a pixel of 32 bits; `nil` for other layouts.
  var places: (red: Int, green: Int, blue: Int, alpha: Int, hasAlpha: Bool)? {
    let (isFirst, hasAlpha): (Bool, Bool)
    switch CGImageAlphaInfo(rawValue: rawValue & Self.alphaInfoMask.rawValue) {
    case .premultipliedFirst, .first: (isFirst, hasAlpha) = (true, true)
    case .premultipliedLast, .last: (isFirst, hasAlpha) = (false, true)
    case .noneSkipFirst: (isFirst, hasAlpha) = (true, false)
    case .noneSkipLast: (isFirst, hasAlpha) = (false, false)
    default: return nil
    }
    let order = rawValue & Self.byteOrderMask.rawValue
    guard !contains(.floatComponents), [0, 2 << 12, 4 << 12].contains(order) else { return nil }
    let places = isFirst ? (1, 2, 3, 0) : (0, 1, 2, 3)
    guard order == 2 << 12 else { return (places.0, places.1, places.2, places.3, hasAlpha) }
    return (3 - places.0, 3 - places.1, 3 - places.2, 3 - places.3, hasAlpha)
  }

  /// For each byte of a pixel of this layout the byte of blue, green, red and alpha that it is, and -1 for a byte without
  /// meaning.
  var fromBGRA: [Int32]? {
    places.map { places in
      var order = [Int32](repeating: -1, count: 4)
      (order[places.blue], order[places.green], order[places.red]) = (0, 1, 2)
      if places.hasAlpha { order[places.alpha] = 3 }
      return order
    }
  }

  /// For each byte of blue, green, red and alpha the byte of a pixel of this layout that it is, and -1 for no alpha.
  var toBGRA: [Int32]? {
    places.map { [Int32($0.blue), Int32($0.green), Int32($0.red), $0.hasAlpha ? Int32($0.alpha) : -1] }
  }
}

/// How well a picture is scaled.
public enum CGInterpolationQuality: Int32, Sendable {
  /// The default.
  case `default` = 0
  /// The nearest pixel.
  case none = 1
  /// Interpolated.
  case low = 2
  /// Interpolated.
  case high = 3
  /// Interpolated.
  case medium = 4
}

/// How colours outside of a device's are shown. Without effect.
public enum CGColorRenderingIntent: Int32, Sendable {
  /// The default.
  case defaultIntent
  /// The nearest colours.
  case absoluteColorimetric
  /// The nearest colours by the white of the device.
  case relativeColorimetric
  /// Colours that look alike.
  case perceptual
  /// Strong colours.
  case saturation
}
