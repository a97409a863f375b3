// Models the pixel layouts in CoreGraphics/CGImage.h.

public enum CGImageAlphaInfo: UInt32, Sendable {
  case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst, alphaOnly
}

public struct CGBitmapInfo: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
  public static let byteOrderDefault: CGBitmapInfo = []

  /// The byte positions of red, green, blue and alpha in a 32-bit pixel; `nil` for other layouts.
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

  /// For each byte of a pixel in this layout, the index of that byte in BGRA; -1 for an unused byte.
  var fromBGRA: [Int32]? {
    places.map { places in
      var order = [Int32](repeating: -1, count: 4)
      (order[places.blue], order[places.green], order[places.red]) = (0, 1, 2)
      if places.hasAlpha { order[places.alpha] = 3 }
      return order
    }
  }

  /// For each byte of BGRA, the index of that byte in this layout; -1 if there is no alpha.
  var toBGRA: [Int32]? {
    places.map { [Int32($0.blue), Int32($0.green), Int32($0.red), $0.hasAlpha ? Int32($0.alpha) : -1] }
  }
}

/// `none` uses the nearest pixel. The other values are equivalent here.
public enum CGInterpolationQuality: Int32, Sendable {
  case `default` = 0
  case none = 1
  case low = 2
  case high = 3
  case medium = 4
}

/// Without effect.
public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent, absoluteColorimetric, relativeColorimetric, perceptual, saturation
}
