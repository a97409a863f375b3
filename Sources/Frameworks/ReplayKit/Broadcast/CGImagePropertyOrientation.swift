/// Which way a picture must be turned or mirrored to be seen upright.
///
/// ImageIO declares it on iOS, where importing ReplayKit brings it along; so this module does here.
public enum CGImagePropertyOrientation: UInt32, Sendable {
  /// As it is.
  case up = 1
  /// Stored mirrored left to right.
  case upMirrored = 2
  /// Stored turned; upright after 180°.
  case down = 3
  /// Stored mirrored top to bottom.
  case downMirrored = 4
  /// Rows and columns exchanged, along the diagonal from the top left.
  case leftMirrored = 5
  /// Stored turned; upright after 90° clockwise.
  case right = 6
  /// Rows and columns exchanged, along the diagonal from the top right.
  case rightMirrored = 7
  /// Stored turned; upright after 90° counter-clockwise.
  case left = 8
}
