/// What the writer of a ring says of its session.
public enum RingState: UInt64, Sendable {
  /// The session runs; frames may come.
  case live = 1
  /// The session runs and is paused; no frames come.
  case paused = 2
  /// The session is over; no frame will come.
  case finished = 3
  /// The session goes on in another file of the same name, because frames outgrew this one.
  case replaced = 4
}
