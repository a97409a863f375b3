import CoreVideo

/// An image in memory. Models CoreGraphics/CGImage.h.
public final class CGImage: Sendable {
  /// The width, in pixels.
  public let width: Int
  /// The height, in pixels.
  public let height: Int
  /// The pixels: 420f, as Core Image renders them, or 32BGRA.
  package let pixels: CVPixelBuffer

  /// Creates an image over pixels of this size.
  package init(width: Int, height: Int, pixels: CVPixelBuffer) {
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }
}

/// The meaning of colour values. Models CoreGraphics/CGColorSpace.h; the stand-ins interpret none.
public final class CGColorSpace: Sendable, Equatable {
  /// The name, if the space has one.
  public let name: CFString?

  /// The name of sRGB.
  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  /// The name of Display P3.
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"

  /// Creates the space of a name.
  public init?(name: CFString) { self.name = name }

  fileprivate init() { name = nil }

  /// Whether two spaces have the same name.
  public static func == (lhs: CGColorSpace, rhs: CGColorSpace) -> Bool { lhs.name == rhs.name }
}

/// Returns the colours of the device: red, green and blue.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }
