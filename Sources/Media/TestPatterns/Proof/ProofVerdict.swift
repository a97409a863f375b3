/// What ``ProofVerifier`` found out about a picture.
public enum ProofVerdict: Sendable, Equatable {
  /// Every visible byte of both planes belongs to this one frame and to its place.
  case whole(frame: UInt32)

  /// The picture is mixed or out of place, seen first in this row of this plane (0 is luma, 1 is chroma).
  ///
  /// `expected` is the frame number that the first tags of the picture agree on. `found` is the frame the deviating bytes belong to;
  /// it equals `expected` when they are of the right frame but of another place (a shear), and is `nil` when
  /// they belong to no frame.
  case torn(row: Int, plane: Int, expected: UInt32, found: UInt32?)

  /// The picture does not show ``TestPattern/proof``.
  case notProof
}

extension ProofVerdict: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .whole(let frame): return "frame \(frame) is whole"
    case .torn(let row, let plane, let expected, let found):
      let place = "row \(row) of the \(plane == 0 ? "luma" : "chroma") plane"
      switch found {
      case expected?: return "frame \(expected) is sheared: \(place) holds bytes of another place"
      case let found?: return "frame \(expected) is torn: \(place) holds bytes of frame \(found)"
      case nil: return "frame \(expected) is damaged: \(place) holds bytes of no frame"
      }
    case .notProof: return "the picture does not show the proof pattern"
    }
  }
}
