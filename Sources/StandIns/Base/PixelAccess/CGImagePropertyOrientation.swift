/// ImageIO and ReplayKitCore have it from here. What ReplayKit delivers for a turned phone is in `Docs/ReplayKitMapping.md`.
public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8
}
