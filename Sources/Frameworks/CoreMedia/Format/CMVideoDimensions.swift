/// The size of a picture, in pixels.
public struct CMVideoDimensions: Sendable, Equatable {
  /// The width, in pixels.
  public var width: Int32
  /// The height, in pixels.
  public var height: Int32

  /// A size from its two numbers.
  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }

  /// No size: 0 × 0.
  public init() { self.init(width: 0, height: 0) }
}
