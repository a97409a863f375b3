import ReplayKitCore

extension CGImagePropertyOrientation {
  /// All orientations, in the order of their raw values (1…8).
  package static let all = (1...8).compactMap(CGImagePropertyOrientation.init(rawValue:))

  package var name: String { "\(self)" }
}
