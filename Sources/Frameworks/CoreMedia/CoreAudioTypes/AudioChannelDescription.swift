/// What one channel is.
public struct AudioChannelDescription: Sendable {
  /// Which one.
  public var mChannelLabel: UInt32
  /// Whether and how the coordinates are to be read.
  public var mChannelFlags: UInt32
  /// Where its loudspeaker is.
  public var mCoordinates: (Float, Float, Float)

  /// A description of nothing.
  public init() {
    mChannelLabel = 0
    mChannelFlags = 0
    mCoordinates = (0, 0, 0)
  }
}
