/// What a team states about its recordings, so that a check does not take their design for a fault.
package struct RecordingDesign: Equatable, Sendable {
  package enum Pauses: String, CaseIterable, Sendable {
    case kept, cut
  }

  /// `nil` if it is not stated: both are right.
  package var pauses: Pauses?
  /// Whether a recording begins with the sound, before the first picture.
  package var startsWithSound = false
  /// Whether recordings may have any length, and leave out any part.
  package var isFree = false

  package init() {}
}
