/// A synthetic picture the emulated screen can show. Each has the frame number and a time code burned in.
public enum TestPattern: String, CaseIterable, Sendable {
  /// The eight colour bars of a television test card, with a moving mark.
  case bars
  /// A smooth ramp that moves with the frame number.
  case gradient
  /// Fresh random luma for every frame: the worst case for an encoder.
  case noise
  /// A picture that does not change but for the burned-in numbers.
  case `static`
  /// Rows that each carry the number of their frame in every byte, so that any reader can detect a tear.
  case proof
}
