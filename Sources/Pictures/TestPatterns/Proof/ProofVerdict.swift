package enum ProofVerdict: Sendable, Equatable {
  /// Every visible byte of both planes belongs to this frame and is at its position.
  case whole(frame: UInt32)

  /// Bytes of other frames or positions start in this row of this plane (0: luma, 1: chroma).
  ///
  /// `expected` is the frame number of the first tags. `found` is the frame of the deviating bytes. It equals `expected` if they
  /// belong to another position (a shear), and is `nil` if they belong to no frame.
  case torn(row: Int, plane: Int, expected: UInt32, found: UInt32?)

  /// The frame does not show ``TestPattern/proof``.
  case notProof
}

extension ProofVerdict: CustomStringConvertible {
  package var description: String {
    switch self {
    case .whole(let frame): return "frame \(frame) is intact"
    case .torn(let row, let plane, let expected, let found):
      let place = "row \(row) of the \(plane == 0 ? "luma" : "chroma") plane"
      switch found {
      case expected?: return "frame \(expected) is sheared: \(place) holds bytes of another place"
      case let found?: return "frame \(expected) is torn: \(place) holds bytes of frame \(found)"
      case nil: return "frame \(expected) is damaged: \(place) holds bytes of no frame"
      }
    case .notProof: return "the picture does not come from 'producer --pattern proof'"
    }
  }
}
