import ReplayKit

extension CGImagePropertyOrientation {
  /// Every orientation, in the order of its raw values, 1…8.
  package static let all: [CGImagePropertyOrientation] = (1...8).compactMap {
    CGImagePropertyOrientation(rawValue: $0)
  }

  /// The name of the case.
  package var name: String {
    switch self {
    case .up: "up"
    case .upMirrored: "upMirrored"
    case .down: "down"
    case .downMirrored: "downMirrored"
    case .leftMirrored: "leftMirrored"
    case .right: "right"
    case .rightMirrored: "rightMirrored"
    case .left: "left"
    }
  }
}
