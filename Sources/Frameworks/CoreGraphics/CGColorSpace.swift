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
