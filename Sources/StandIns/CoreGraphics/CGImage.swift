import CoreVideo

public final class CGImage: Sendable {
  public let width: Int
  public let height: Int
  /// The pixels: 420f, as Core Image renders them, or 32BGRA.
  package let pixels: CVPixelBuffer

  /// Creates an image over pixels of this size.
  package init(width: Int, height: Int, pixels: CVPixelBuffer) {
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }
}

/// A name only: the stand-ins interpret no colours.
public final class CGColorSpace: Sendable, Equatable {
  public let name: CFString?

  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"

  public init?(name: CFString) { self.name = name }

  fileprivate init() { name = nil }

  public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool { lhs.name == rhs.name }
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }
