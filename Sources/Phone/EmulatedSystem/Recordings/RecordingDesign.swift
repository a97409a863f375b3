/// A team's statements about its recordings, so that a check does not report intended behaviour as a fault.
package struct RecordingDesign: Equatable, Sendable {
  package enum Pauses: String, CaseIterable, Sendable {
    case kept, cut
  }

  /// Whether recordings keep pauses or cut them; `nil` if it is not stated, so that both are accepted.
  package var pauses: Pauses?
  /// Whether a recording begins with sound, before the first frame.
  package var startsWithSound = false
  /// Whether recordings may have any length, and may omit any part.
  package var isFree = false

  package init() {}
}
