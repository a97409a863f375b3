/// An image in memory. Models CoreGraphics/CGImage.h.
///
/// Core Image makes it; its pixels stay in the representation of that module.
public final class CGImage: Sendable {
  /// The width, in pixels.
  public let width: Int
  /// The height, in pixels.
  public let height: Int
  /// The pixels, for Core Image.
  package let pixels: any Sendable

  /// Creates an image over pixels of this size.
  package init(width: Int, height: Int, pixels: any Sendable) {
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
