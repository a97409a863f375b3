/// How long things are measured.
struct Pace: Equatable {
  /// The slices of a hot row in a round.
  var slices: Int
  /// The least a slice takes, in nanoseconds.
  var slice: UInt64
  /// How long two processes run as fast as they can, in nanoseconds.
  var flatOut: UInt64
  /// How long two processes run at 60 frames a second, in nanoseconds.
  var paced: UInt64
  /// How many fresh rings the first frame is measured on in a round.
  var starts: Int

  /// For figures: a hot row runs for 80 ms a round.
  static let thorough = Pace(
    slices: 8, slice: 10_000_000, flatOut: 500_000_000, paced: 2_000_000_000, starts: 7)
  /// To see that everything runs: the figures mean little.
  static let quick = Pace(slices: 2, slice: 500_000, flatOut: 30_000_000, paced: 150_000_000, starts: 1)
}
