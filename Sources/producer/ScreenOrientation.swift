/// How the emulated device is held. The raw values are those of `CGImagePropertyOrientation`.
enum ScreenOrientation: UInt32, CaseIterable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// The orientation as it is typed: the case's name.
  var name: String { "\(self)" }
}
