import CommandLineSupport

/// What is to be proven.
enum EnduranceVerb: Equatable {
  /// The real programs start, stop, die and stand still for so long, and nothing grows.
  case soak(Duration)
  /// One broadcast with picture and sound, for so long and of that size: nothing is missing, and nothing grows.
  case stream(Duration, Size)
  /// No reader is ever shown a torn frame.
  case torn(TornGoals)
  /// Whoever is killed, whenever: the others go on, and nothing is lost or left behind.
  case kill(rounds: Int)
}
