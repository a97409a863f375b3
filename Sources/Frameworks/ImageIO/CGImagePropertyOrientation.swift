/// How the stored rows and columns of a frame relate to the upright image. Models the enumeration of ImageIO's
/// `CGImageProperties.h`, which ReplayKit imports on iOS; so this module declares it.
///
/// The meaning of the values is that of the EXIF tag. What ReplayKit delivers for a turned phone is in
/// `Docs/ReplayKitMapping.md`.
public enum CGImagePropertyOrientation: UInt32, Sendable {
  /// Stored upright.
  case up = 1
  /// Stored mirrored left to right.
  case upMirrored = 2
  /// Stored rotated by 180°.
  case down = 3
  /// Stored mirrored top to bottom.
  case downMirrored = 4
  /// Rows and columns exchanged, along the diagonal from the top left.
  case leftMirrored = 5
  /// Stored rotated; upright after 90° clockwise.
  case right = 6
  /// Rows and columns exchanged, along the diagonal from the top right.
  case rightMirrored = 7
  /// Stored rotated; upright after 90° counter-clockwise.
  case left = 8
}
