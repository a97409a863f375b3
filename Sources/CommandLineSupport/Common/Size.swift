/// The width and the height of a picture in pixels, written `1080x720`.
public struct Size: Hashable, Sendable, CustomStringConvertible {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size of so many pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size as it is typed.
  public var description: String { "\(width)x\(height)" }
}
