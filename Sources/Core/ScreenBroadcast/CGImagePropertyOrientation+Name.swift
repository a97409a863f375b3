import ReplayKitCore

extension CGImagePropertyOrientation {
  /// Every orientation, in the order of its raw values, 1…8.
  package static let all = (1...8).compactMap(CGImagePropertyOrientation.init(rawValue:))

  package var name: String { "\(self)" }
}
