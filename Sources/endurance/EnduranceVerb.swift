/// What is to be proven.
enum EnduranceVerb: Equatable {
  /// The real programs start, stop, die and stand still for so long, and nothing grows.
  case soak(Duration)
  /// No reader is ever shown a torn frame.
  case torn(TornGoals)
  /// Whoever is killed, whenever: the others go on, and nothing is lost or left behind.
  case kill(rounds: Int)
}
