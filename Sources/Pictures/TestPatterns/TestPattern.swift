/// A synthetic screen content with a burned-in frame number and time code.
package enum TestPattern: String, CaseIterable, Sendable {
  /// The eight colour bars of a television test card, with a moving mark.
  case bars
  /// New random luma in every frame: the worst case for an encoder.
  case noise
  /// Rows with the frame number in every byte, so that a reader can detect a torn frame.
  case proof
  /// Coloured corners, a line, and large blocks with the frame number. They can be recognized in an image of any size and
  /// compression.
  case chart
  /// A drawn app whose list scrolls now and then. It is unchanged most of the time.
  case app
}
