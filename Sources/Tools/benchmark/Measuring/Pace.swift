/// The length of the measurements.
struct Pace: Equatable {
  /// Slices of a loop per round.
  var slices: Int
  /// The shortest slice, in nanoseconds.
  var slice: UInt64
  /// The time of two processes at full speed, in nanoseconds.
  var flatOut: UInt64
  /// The time of two processes at 60 frames per second, in nanoseconds.
  var paced: UInt64
  /// New rings per round for the measurement of the first frame.
  var starts: Int

  /// For accurate figures: a loop runs for 80 ms per round.
  static let thorough = Pace(
    slices: 8, slice: 10_000_000, flatOut: 500_000_000, paced: 2_000_000_000, starts: 7)
  /// For a check that everything runs; the figures are not accurate.
  static let quick = Pace(slices: 2, slice: 500_000, flatOut: 30_000_000, paced: 150_000_000, starts: 1)
}
