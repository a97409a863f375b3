/// The length of the measurements.
struct Pace: Equatable {
  /// Slices of a loop per round.
  var slices: Int
  var slice: Duration
  /// The time of two processes at full speed.
  var flatOut: Duration
  /// The time of two processes at 60 frames per second.
  var paced: Duration

  /// For accurate figures: a loop runs for 80 ms per round.
  static let thorough = Pace(
    slices: 8, slice: .milliseconds(10), flatOut: .milliseconds(500), paced: .seconds(2))
  /// For a check that everything runs; the figures are not accurate.
  static let quick = Pace(
    slices: 2, slice: .microseconds(500), flatOut: .milliseconds(30), paced: .milliseconds(150))
}
