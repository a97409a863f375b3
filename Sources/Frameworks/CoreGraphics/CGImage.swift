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
