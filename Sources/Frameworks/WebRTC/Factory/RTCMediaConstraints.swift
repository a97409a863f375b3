/// What an audio source is asked for by name. Nothing here processes sound, so constraints are kept and not followed.
public final class RTCMediaConstraints: NSObject, Sendable {
  let mandatoryConstraints: [String: String]?
  let optionalConstraints: [String: String]?

  /// Constraints that must and that should hold.
  public init(mandatoryConstraints: [String: String]?, optionalConstraints: [String: String]?) {
    self.mandatoryConstraints = mandatoryConstraints
    self.optionalConstraints = optionalConstraints
  }
}
