import CoreVideo

public final class CGImage: Sendable {
  public let width: Int
  public let height: Int
  /// The pixels: 420f, as Core Image renders them, or 32BGRA.
  package let pixels: CVPixelBuffer

  /// Creates an image over pixels of this size.
  package init(width: Int, height: Int, pixels: CVPixelBuffer) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}

/// Has only a name: the stand-ins interpret no colour spaces.
public final class CGColorSpace: Sendable, Equatable {
  public let name: CFString?
  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
  public static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
  public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
  public static let itur_709: CFString = "kCGColorSpaceITUR_709"
  public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
  public static let linearGray: CFString = "kCGColorSpaceLinearGray"

  public init?(name: CFString) { self.name = name }

  fileprivate static let deviceRGB = CGColorSpace(device: "kCGColorSpaceDeviceRGB")
  fileprivate static let deviceGray = CGColorSpace(device: "kCGColorSpaceDeviceGray")

  private init(device: String) { name = device }

  public var numberOfComponents: Int { name?.contains("Gray") == true ? 1 : 3 }

  public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool { lhs.name == rhs.name }
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .deviceRGB }
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { .deviceGray }
